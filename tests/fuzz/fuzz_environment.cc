#include "logitchain/tests/fuzz/fuzz_environment.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/registry/environment.h"
#include "logitchain/testing/conformance/sample_environment.h"

namespace logitchain {
namespace {

// The last two are an é in UTF-8.
constexpr absl::string_view kBytes =
    "{}[]\",:0123456789-+.\\/ \n\tabcdefghinlorstuxyzAZ\x7f\xc3\xa9";

std::string BytesOf(TokenId id) {
  if (id < 2) return "";
  // The digits of a number, the last one first.
  std::string bytes;
  for (size_t rest = id - 2;; rest = rest / kBytes.size() - 1) {
    bytes.push_back(kBytes[rest % kBytes.size()]);
    if (rest < kBytes.size()) return bytes;
  }
}

}  // namespace

std::shared_ptr<const Vocabulary> FuzzVocabulary(int32_t size) {
  static auto& vocabularies = *new absl::flat_hash_map<int32_t, std::shared_ptr<const Vocabulary>>;
  std::shared_ptr<const Vocabulary>& vocabulary = vocabularies[size];
  if (vocabulary != nullptr) return vocabulary;
  Vocabulary::Parts parts = {.stop_ids = {0}};
  if (size > 1) parts.special_ids = {1};
  for (TokenId id = 0; id < size; ++id) parts.token_bytes.push_back(BytesOf(id));
  return vocabulary = Vocabulary::Create(std::move(parts)).value();
}

Environment FuzzEnvironment(int32_t vocab_size) {
  Environment environment = SampleEnvironment(vocab_size);
  environment.vocabulary = FuzzVocabulary(vocab_size);
  return environment;
}

}  // namespace logitchain
