#ifndef LOGITCHAIN_PROCESSORS_MIN_P_H_
#define LOGITCHAIN_PROCESSORS_MIN_P_H_

#include <cstdint>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"

namespace logitchain {

// Keeps the tokens with q ≥ p · max q, where q is softmax over the candidates; a token that is
// exactly on the bound stays. Dialects that compare logits keep l ≥ max l + log p. Source: Nguyen
// et al. 2024.
class MinP final : public Cloneable<Filter, MinP> {
 public:
  MinP(double p, int32_t min_keep) : p_(p), min_keep_(min_keep) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  double p_;
  int32_t min_keep_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_MIN_P_H_
