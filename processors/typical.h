#ifndef LOGITCHAIN_PROCESSORS_TYPICAL_H_
#define LOGITCHAIN_PROCESSORS_TYPICAL_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"

namespace logitchain {

// Locally typical sampling. With q the softmax over the candidates and H = −Σ q·log q, each
// candidate has the score
//
//   |−log q − H|,
//
// and those with the lowest scores stay, up to and including the one at which the running sum of
// their q reaches p (or exceeds it: TypicalRule::crossing) and which is at least the min_keep-th.
// If the sum never does, all stay. Equal scores rank by (logit descending, id ascending); in
// dialects that keep ties (TypicalRule::keeps_ties) all with the score of the last one stay. A
// candidate with q = 0 adds nothing to H and has an infinite score. The most likely token may go.
//
// Where a dialect keeps an order, the candidates are left in the order of their scores. Source:
// Meister et al. 2023, "Locally Typical Sampling", section 4.
class Typical final : public Cloneable<Filter, Typical> {
 public:
  Typical(double p, int32_t min_keep) : p_(p), min_keep_(min_keep) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  template <typename Real>
  void KeepTypical(CandidateSelector& selector, const TypicalRule& rule) const;

  double p_;
  int32_t min_keep_;
  // Scratch.
  mutable std::vector<double> scores_;
  mutable std::vector<int32_t> order_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_TYPICAL_H_
