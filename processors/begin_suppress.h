#ifndef LOGITCHAIN_PROCESSORS_BEGIN_SUPPRESS_H_
#define LOGITCHAIN_PROCESSORS_BEGIN_SUPPRESS_H_

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Removes tokens at the first step of the output only. Costs O(ids) there and nothing later.
// Source: SuppressTokensAtBeginLogitsProcessor of Hugging Face transformers.
class BeginSuppress final : public Cloneable<Filter, BeginSuppress> {
 public:
  explicit BeginSuppress(std::vector<TokenId> ids) : ids_(std::move(ids)) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  std::vector<TokenId> ids_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_BEGIN_SUPPRESS_H_
