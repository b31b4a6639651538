#ifndef LOGITCHAIN_PROCESSORS_FORCED_TOKENS_H_
#define LOGITCHAIN_PROCESSORS_FORCED_TOKENS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"

namespace logitchain {

// Which token is forced when.
struct ForcedTokenPlan {
  std::optional<TokenId> first_id;
  std::optional<TokenId> last_id;
  int32_t max_length = 0;

  // The token that must come next: `last_id` where it brings prompt and output to `max_length`
  // tokens, else `first_id` where the output is empty, else nothing.
  std::optional<TokenId> Due(const TokenHistory& history) const;
};

// Removes all tokens but the one that is forced, where one is. A forced token that is removed
// already, by the model or a mask, stays removed, so that the step is an error. Costs O(vocabulary)
// at those steps and nothing at others. Sources: ForcedBOSTokenLogitsProcessor and
// ForcedEOSTokenLogitsProcessor of Hugging Face transformers.
class ForcedTokens final : public Cloneable<Filter, ForcedTokens> {
 public:
  explicit ForcedTokens(const ForcedTokenPlan& plan) : plan_(plan) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  ForcedTokenPlan plan_;
  mutable std::vector<int32_t> words_;  // Scratch.
};

// Sets the logit of the forced token to 0, as that system does.
class ForcedTokenLogit final : public Cloneable<Transform, ForcedTokenLogit> {
 public:
  explicit ForcedTokenLogit(const ForcedTokenPlan& plan) : plan_(plan) {}

  absl::Status Apply(const StepContext& step, LogitEditor& editor) const override;

 private:
  ForcedTokenPlan plan_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_FORCED_TOKENS_H_
