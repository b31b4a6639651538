// Changes of an input that begins with a chain as textproto: half of them change the chain by its
// meaning, the others are the engine's own.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/text_format.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/tests/fuzz/config_mutator.h"
#include "logitchain/tests/fuzz/input_reader.h"

extern "C" __attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t* data, size_t size,
                                                         size_t max_size);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  using namespace logitchain;
  InputReader input(data, size);
  absl::StatusOr<ChainText> chain = ParseChainText(input.Part(), "chain.textproto");
  if (!chain.ok() || seed % 2 == 0) {
    return LLVMFuzzerMutate == nullptr ? size : LLVMFuzzerMutate(data, size, max_size);
  }
  ConfigMutator(seed).Change(chain->config);
  std::string text;
  google::protobuf::TextFormat::PrintToString(chain->config, &text);
  // The chain ends in a line break of its own.
  const std::string changed =
      absl::StrCat(text.substr(0, text.size() - 1), "\n---\n", input.Rest());
  const size_t changed_size = std::min(changed.size(), max_size);
  std::copy_n(changed.data(), changed_size, data);
  return changed_size;
}
