#ifndef LOGITCHAIN_PROCESSORS_TOP_N_SIGMA_H_
#define LOGITCHAIN_PROCESSORS_TOP_N_SIGMA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"

namespace logitchain {

// Keeps the candidates with l ≥ max − n·σ, where σ is the standard deviation of the logits of all
// candidates,
//
//   mean = Σ l / count      σ = √(Σ (l − mean)² / count),
//
// removed ones apart. A logit that is exactly on the bound stays, and so do all equal ones; the
// largest always does. If fewer than min_keep pass, the min_keep largest stay. In the dialect's
// arithmetic, sums in the order of the candidates; each square and its sum in float64, rounded
// once.
//
// Where removed candidates may keep a place, those that this rule removes do. Source: Tang et al.
// 2024, "Top-nσ: Not All Logits Are You Need".
class TopNSigma final : public Cloneable<Filter, TopNSigma> {
 public:
  // n is positive.
  TopNSigma(double n, int32_t min_keep) : n_(n), min_keep_(min_keep) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  double n_;
  int32_t min_keep_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_TOP_N_SIGMA_H_
