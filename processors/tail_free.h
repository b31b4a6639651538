#ifndef LOGITCHAIN_PROCESSORS_TAIL_FREE_H_
#define LOGITCHAIN_PROCESSORS_TAIL_FREE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"

namespace logitchain {

// With q the probabilities of the candidates in descending order and c_i the normalised sizes of
// their second differences, c_i = |q_{i+2} − 2·q_{i+1} + q_i| / Σ |…|: the first j at which the
// running sum of c exceeds z cuts, and q_0 … q_j stay. If it never does, if there are fewer than
// three candidates, or if all second differences are 0, all stay. Removed tokens count for nothing.
// Ties go to the lowest ids. Costs a sort of the candidates. Sources: T. Bricken 2019, "Tail Free
// Sampling" (trentonbricken.com/Tail-Free-Sampling), and TailFreeLogitsWarper of text-generation-
// webui, which centres the cut as this does; llama.cpp, while it had the rule, kept one token
// fewer.
class TailFree final : public Cloneable<Filter, TailFree> {
 public:
  TailFree(double z, int32_t min_keep) : z_(z), min_keep_(min_keep) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  double z_;
  int32_t min_keep_;
  mutable std::vector<double> curvature_;  // Scratch.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_TAIL_FREE_H_
