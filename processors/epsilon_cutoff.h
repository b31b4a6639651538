#ifndef LOGITCHAIN_PROCESSORS_EPSILON_CUTOFF_H_
#define LOGITCHAIN_PROCESSORS_EPSILON_CUTOFF_H_

#include <cstdint>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"

namespace logitchain {

// Keeps the tokens with q ≥ epsilon, where q is softmax over the candidates; a token that is
// exactly on the bound stays. If none reaches it the most likely one stays. Costs O(candidates).
// Source: Hewitt et al. 2022, "Truncation Sampling as Language Model Desmoothing", section 2;
// EpsilonLogitsWarper of Hugging Face transformers.
class EpsilonCutoff final : public Cloneable<Filter, EpsilonCutoff> {
 public:
  EpsilonCutoff(double epsilon, int32_t min_keep) : epsilon_(epsilon), min_keep_(min_keep) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  double epsilon_;
  int32_t min_keep_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_EPSILON_CUTOFF_H_
