#ifndef LOGITCHAIN_PROCESSORS_SUPPRESS_TOKENS_H_
#define LOGITCHAIN_PROCESSORS_SUPPRESS_TOKENS_H_

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Removes the same tokens at every step. Costs O(ids). Source: SuppressTokensLogitsProcessor of
// Hugging Face transformers.
class SuppressTokens final : public Cloneable<Filter, SuppressTokens> {
 public:
  explicit SuppressTokens(std::vector<TokenId> ids) : ids_(std::move(ids)) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  std::vector<TokenId> ids_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_SUPPRESS_TOKENS_H_
