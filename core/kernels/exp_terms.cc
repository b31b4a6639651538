#include "logitchain/core/kernels/exp_terms.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace logitchain {

// In units of u = 2^-24, the relative error of a quick term: the exponent t is the sum of a product
// and an offset, of which the slope, the product, the offset and the sum are rounded; that moves t
// by at most u·(3·|t| + 2·|max|·slope), and the term by ln 2 of that. The polynomial with its
// roundings is within 3 u, the last step of it and the sum of four within 3 u. Σ |t|·term / total
// is at most log2(count / total), because no distribution over `count` tokens has more than log2
// count bits of entropy. A fine term likewise, with 2^-53 for u and a polynomial within 2^-39.7.
// Sums of doubles, here and where they run through all tokens one by one, add less than
// 2·count·2^-53 to each of two sums, and terms that are raised to the smallest normal number less
// than count·2^-126.
ExpError ExpSumError(ExpPrecision precision, double largest, double total, size_t count) {
  const double exponent = std::max(0.0, std::log2(static_cast<double>(count) / total));
  const double rounding = 0x1p-51 * (static_cast<double>(count) + exponent + largest);
  const double tiny = 0x1p-125 * static_cast<double>(count);
  if (precision == ExpPrecision::kFine) {
    return {.relative = 0x1p-39, .uneven = total * rounding + tiny};
  }
  const double relative = 0x1p-24 * (2 * largest + 6.5);
  const double higher_order = std::exp(2 * relative);
  return {.relative = higher_order * relative,
          .uneven = total * (higher_order * 0x1p-24 * 2.1 * exponent + rounding) + tiny};
}

}  // namespace logitchain
