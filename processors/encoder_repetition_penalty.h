#ifndef LOGITCHAIN_PROCESSORS_ENCODER_REPETITION_PENALTY_H_
#define LOGITCHAIN_PROCESSORS_ENCODER_REPETITION_PENALTY_H_

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"

namespace logitchain {

// For each distinct token of a text: l > 0 ? l · p : l / p, the inverse of RepetitionPenalty; a
// logit of 0 stays. Costs O(distinct tokens). Source: EncoderRepetitionPenaltyLogitsProcessor of
// Hugging Face transformers.
class EncoderRepetitionPenalty final : public Cloneable<Transform, EncoderRepetitionPenalty> {
 public:
  // `ids` are distinct.
  EncoderRepetitionPenalty(double penalty, std::vector<TokenId> ids)
      : penalty_(penalty), ids_(std::move(ids)) {}

  absl::Status Apply(const StepContext& step, LogitEditor& editor) const override;

 private:
  double penalty_;
  std::vector<TokenId> ids_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_ENCODER_REPETITION_PENALTY_H_
