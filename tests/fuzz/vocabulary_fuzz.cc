// A vocabulary's file: tiktoken or tokenizer.json.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logitchain/core/limits.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/core/vocabulary_files/vocabulary_file.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/vocab/longest_tokens.h"
#include "logitchain/tests/fuzz/input_reader.h"
#include "logitchain/tests/fuzz/require.h"

namespace logitchain {
namespace {

void Run(const std::shared_ptr<const Vocabulary>& vocabulary) {
  Require(vocabulary->size() >= 1 && vocabulary->size() <= kMaxVocabSize, "there are tokens");
  for (const TokenId id : vocabulary->stop_ids()) {
    Require(id >= 0 && id < vocabulary->size(), "a stop token is a token");
  }
  for (const TokenId id : vocabulary->special_ids()) {
    Require(id >= 0 && id < vocabulary->size(), "a special token is a token");
  }
  const TokenIndex index(vocabulary);
  Require(index.mask_words() * 32 >= size_t(vocabulary->size()), "a mask has room for all tokens");
  const LongestTokens tokens(*vocabulary);
  for (TokenId id = 0; id < vocabulary->size(); ++id) {
    const std::string text(vocabulary->bytes(id));
    const std::optional<TokenId> found = tokens.First(text);
    Require(!found || vocabulary->bytes(*found).size() <= text.size(), "a token is in its text");
  }
}

}  // namespace
}  // namespace logitchain

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace logitchain;
  const auto vocabulary = ParseVocabulary(InputReader(data, size).Rest());
  if (vocabulary.ok()) {
    Run(*vocabulary);
  } else {
    Require(absl::IsInvalidArgument(vocabulary.status()), "only the file can be wrong");
  }
  return 0;
}
