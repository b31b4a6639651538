#ifndef LOGITCHAIN_CORE_KERNELS_EXP_SUMS_H_
#define LOGITCHAIN_CORE_KERNELS_EXP_SUMS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/kernels/scan.h"

namespace logitchain {

// Fills sums[b], b < BlockCount, with the sum over the logits of block b that are in `set`, of
// which block_max[b] is the largest.
//
// Returns the sum over the blocks where all terms are so small that they were computed only
// roughly: where that sum is off by kRoughError of itself.
double SumExpTerms(const ExpScale& scale, absl::Span<const float> logits, TokenSet set,
                   absl::Span<const float> block_max, absl::Span<double> sums);

// Fills out[i] with the term of logits[i] in float32, off by as much as a quick sum.
void QuickExpTerms(const ExpScale& scale, absl::Span<const float> logits, absl::Span<float> out);

struct WeightSums {
  double sum;
  double sum_of_squares;  // Roughly.
  int32_t count;
};

// Sums the weights of the keys that are at least `bound`.
WeightSums SumWeightsAtLeast(absl::Span<const float> keys, absl::Span<const float> weights,
                             float bound);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_KERNELS_EXP_SUMS_H_
