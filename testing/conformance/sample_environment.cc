#include "logitchain/testing/conformance/sample_environment.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/testing/conformance/thirds_mask.h"

namespace logitchain {
namespace {

absl::StatusOr<std::vector<TokenId>> Primes(const TokenHistory&) {
  return std::vector<TokenId>{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
}

}  // namespace

Environment SampleEnvironment(int32_t vocab_size) {
  Vocabulary::Parts parts;
  for (TokenId id = 0; id < vocab_size; ++id) parts.token_bytes.push_back(absl::StrCat(id));
  return {.vocab_size = vocab_size,
          .vocabulary = Vocabulary::Create(parts).value(),
          .mask_providers = {{"thirds", std::make_shared<ThirdsMask>()}},
          .prefix_constraints = {{"primes", Primes}}};
}

}  // namespace logitchain
