#ifndef LOGITCHAIN_PROCESSORS_PRESENCE_FREQUENCY_PENALTY_H_
#define LOGITCHAIN_PROCESSORS_PRESENCE_FREQUENCY_PENALTY_H_

#include "absl/status/status.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/transform.h"

namespace logitchain {

// For each token with count c > 0: (l − frequency·c) − presence, or l − (frequency·c + presence)
// where the dialect sums first. Costs O(distinct tokens). Source: the API reference of OpenAI.
class PresenceFrequencyPenalty final : public Cloneable<Transform, PresenceFrequencyPenalty> {
 public:
  PresenceFrequencyPenalty(double presence, double frequency, TokenHistory::CountsId seen)
      : presence_(presence), frequency_(frequency), seen_(seen) {}

  absl::Status Apply(const StepContext& step, LogitEditor& editor) const override;

 private:
  double presence_;
  double frequency_;
  TokenHistory::CountsId seen_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_PRESENCE_FREQUENCY_PENALTY_H_
