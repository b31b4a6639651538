#ifndef LOGITCHAIN_CORE_DRAW_H_
#define LOGITCHAIN_CORE_DRAW_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/dialect.h"

namespace logitchain {

// Where a uniform fell: a place in the candidates' arrays, and the probability that it had.
struct Dart {
  size_t position;
  double probability;
  // Rounding left the uniform past the last running sum; `position` is then the last one with a
  // positive probability.
  bool past_end;
};

// The position of the largest logit; the first of several.
size_t FirstMaximum(absl::Span<const double> logits);

// The probabilities that a draw goes by, by position: exactly 0 where the logit is −∞.
void FinalDistribution(const DrawRule& rule, absl::Span<const double> logits,
                       std::vector<double>& q);

// Finds the position that the uniform u in [0, 1) falls on, by the inverse of the cumulative
// distribution. Never a removed candidate. `q` is scratch.
Dart ThrowDart(const DrawRule& rule, absl::Span<const double> logits, double u,
               std::vector<double>& q);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DRAW_H_
