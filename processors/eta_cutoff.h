#ifndef LOGITCHAIN_PROCESSORS_ETA_CUTOFF_H_
#define LOGITCHAIN_PROCESSORS_ETA_CUTOFF_H_

#include <cstdint>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"

namespace logitchain {

// Keeps the tokens with q ≥ η = min(epsilon, √epsilon · exp(−H)), where q is softmax over the
// candidates and H its entropy in nats, with 0 · log 0 = 0; a token that is exactly on the bound
// stays. If none reaches it the most likely one stays. Costs O(candidates). Source: Hewitt et al.
// 2022, "Truncation Sampling as Language Model Desmoothing", section 3; EtaLogitsWarper of Hugging
// Face transformers.
class EtaCutoff final : public Cloneable<Filter, EtaCutoff> {
 public:
  EtaCutoff(double epsilon, int32_t min_keep) : epsilon_(epsilon), min_keep_(min_keep) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  double epsilon_;
  int32_t min_keep_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_ETA_CUTOFF_H_
