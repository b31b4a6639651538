#ifndef LOGITCHAIN_CORE_KERNELS_MOMENTS_H_
#define LOGITCHAIN_CORE_KERNELS_MOMENTS_H_

#include "absl/types/span.h"
#include "logitchain/core/kernels/scan.h"

namespace logitchain {

// Sums over the logits of a set that are not −∞.
struct LogitMoments {
  double sum;             // Σ (l − center)
  double sum_of_squares;  // Σ (l − center)²
};

// In both of these, logits of the set are finite or −∞, the others any floats, and `center` is
// finite.

// In float64. Over n logits, a sum is off by at most (n + 16)·2^-53 of what its terms sum to
// without their signs.
LogitMoments SumMoments(absl::Span<const float> logits, TokenSet set, float center);

// How far off the sums of SumMomentsQuickly are: this part of what their terms sum to without their
// signs, and the sum of n squares n·2^-149 beyond that.
inline constexpr double kQuickMomentsError = 0x1p-15;

// In float32, about one pass over the logits. Where a square is too large for float32, or nearly
// so, the sums may be infinite or NaN.
LogitMoments SumMomentsQuickly(absl::Span<const float> logits, TokenSet set, float center);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_KERNELS_MOMENTS_H_
