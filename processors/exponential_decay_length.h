#ifndef LOGITCHAIN_PROCESSORS_EXPONENTIAL_DECAY_LENGTH_H_
#define LOGITCHAIN_PROCESSORS_EXPONENTIAL_DECAY_LENGTH_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"

namespace logitchain {

// For each stop id, with n output tokens and n > start:
//   l + |l| · (factor^(n − start) − 1)
// so that a positive and a negative logit both rise where factor > 1, and a logit of 0 stays. At
// n = start nothing happens yet. What is added is at most 1e30. Costs O(stop ids). Source:
// ExponentialDecayLengthPenalty of Hugging Face transformers.
class ExponentialDecayLength final : public Cloneable<Transform, ExponentialDecayLength> {
 public:
  ExponentialDecayLength(int32_t start, double factor, std::vector<TokenId> stop_ids)
      : start_(start), factor_(factor), stop_ids_(std::move(stop_ids)) {}

  absl::Status Apply(const StepContext& step, LogitEditor& editor) const override;

 private:
  int32_t start_;
  double factor_;
  std::vector<TokenId> stop_ids_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_EXPONENTIAL_DECAY_LENGTH_H_
