#ifndef LOGITCHAIN_CORE_KERNELS_MOMENTS_H_
#define LOGITCHAIN_CORE_KERNELS_MOMENTS_H_

#include "absl/types/span.h"
#include "logitchain/core/kernels/scan.h"

namespace logitchain {

// Sums in float64 over the logits of a set that are not −∞.
struct LogitMoments {
  double sum;             // Σ (l − center)
  double sum_of_squares;  // Σ (l − center)²
};

// Logits of the set are finite or −∞, the others any floats; `center` is finite. Over n logits, a
// sum is off by at most (n + 16)·2^-53 of what its terms sum to without their signs.
LogitMoments SumMoments(absl::Span<const float> logits, TokenSet set, float center);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_KERNELS_MOMENTS_H_
