#ifndef LOGITCHAIN_PROCESSORS_REPETITION_PENALTY_H_
#define LOGITCHAIN_PROCESSORS_REPETITION_PENALTY_H_

#include "absl/status/status.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/transform.h"

namespace logitchain {

// For each distinct token that was seen: l > 0 ? l / r : l · r. Costs O(distinct tokens). Dialects
// differ in what they do at l = 0, which both forms leave as it is. Source: Keskar et al. 2019
// (CTRL), section 4.1, with the product for negative logits that every system has since.
class RepetitionPenalty final : public Cloneable<Transform, RepetitionPenalty> {
 public:
  RepetitionPenalty(double penalty, TokenHistory::CountsId seen) : penalty_(penalty), seen_(seen) {}

  absl::Status Apply(const StepContext& step, LogitEditor& editor) const override;

 private:
  double penalty_;
  TokenHistory::CountsId seen_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_REPETITION_PENALTY_H_
