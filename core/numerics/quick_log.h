#ifndef LOGITCHAIN_CORE_NUMERICS_QUICK_LOG_H_
#define LOGITCHAIN_CORE_NUMERICS_QUICK_LOG_H_

#include <bit>
#include <cmath>
#include <cstdint>

#include "logitchain/core/numerics/double_double.h"
#include "logitchain/core/numerics/log_table.h"

namespace logitchain::internal {

// log(x) = high + low, off by at most error. |low| < 2^-21 and |low| < 2^-12 |high|.
struct BoundedLog {
  double high;
  double low;
  double error;
};

// (log(1 + z) - z + z^2/2) / z^3 for |z| < 2^-7.7, by Taylor's series; the first term left out is
// z^7 / 10 < 2^-57.
inline double LogSeries(double z) {
  const double odd = 1.0 / 3 + z * z * (1.0 / 5 + z * z * (1.0 / 7 + z * z * (1.0 / 9)));
  const double even = 1.0 / 4 + z * z * (1.0 / 6 + z * z * (1.0 / 8));
  return odd - z * even;
}

// log(1 + z) for |z| <= 2^-8, where all that counts is the error relative to z.
//
// z^2 is needed to more than double precision: z is split into coarse, of 26 bits, and fine, so
// that coarse^2 is exact. Where the error comes from, in units of 2^-71 |z|:
//   7     z^3 (1/3 - ...), below 2^-17.57 |z|: half ulps of 2^-70.57 |z|, 2 by the cube's
//   roundings, 2 by
//         the factor's, 1 by the product's
//   3     the two sums that make low
//   1.4   adding or taking away this bound, which is done by who tests the rounding
//   0.1   the series' first missing term, below 2^-75 |z|; the product with fine; products of
//   errors
// That makes 11.5 < 16 = 2^-67 / 2^-71. The largest error seen in 10^7 random z is 2^-68.6 |z|.
inline BoundedLog QuickLogNearOne(double z) {
  constexpr double kToCoarse = 0x1.8p18;  // Adding it rounds to a multiple of 2^-34.
  const double coarse = (z + kToCoarse) - kToCoarse;
  const double fine = z - coarse;
  const DoubleDouble sum = FastTwoSum(z, -0.5 * coarse * coarse);
  const double low = sum.low + (z * z * z * LogSeries(z) - 0.5 * fine * (coarse + z));
  return {sum.high, low, std::fabs(z) * 0x1p-67};
}

// log(m 2^exponent) for m in [1, 2), when that is not within [1 - 2^-8, 1 + 2^-8].
//
// Tang's method ("Table-Driven Implementation of the Logarithm Function in IEEE Floating-Point
// Arithmetic", 1990), arranged so that the leading terms are exact without a fused multiply-add:
//   log(m 2^e) = e ln 2 - log(c) + log(1 + z),  z = m c - 1,  |z| < 2^-7.77
//   m = m1 + m2, m1 of 24 bits and c of 10: coarse = m1 c - 1 has 26 bits, fine = m2 c < 2^-23
//   e ln 2, -log(c) and coarse have leading parts that are multiples of 2^-42: their sum is exact
//   log(1 + z) = coarse + fine - coarse^2/2 - fine (coarse + fine/2) + z^3 (1/3 - ...)
//
// Where the error comes from, in units of 2^-77:
//   5     z^3 (1/3 - ...), below 2^-24.9: half ulps of 2^-77.9, 3 by z's rounding, 2 by the cube's,
//   2 by
//         the factor's, 1 by the product's
//   6     the three last sums, below 2^-22 each
//   2     adding or taking away this bound, which is done by who tests the rounding
//   1     the series' missing terms; the tails of ln 2 and of the table; products of errors
// That makes 14 < 16 = 2^-73 / 2^-77. The largest error seen in 10^7 random x is 2^-74.7.
inline BoundedLog QuickLogFarFromOne(uint64_t fraction_bits, int exponent) {
  // The first part is a multiple of 2^-42, so that its product with the exponent is exact.
  constexpr double kLn2Head = 0x1.62e42fefa38p-1;
  constexpr double kLn2Tail = 0x1.ef35793c7673p-45;
  constexpr uint64_t kBitsOfOne = uint64_t{1023} << 52;
  constexpr uint64_t kBitsOfHalf = uint64_t{1022} << 52;
  constexpr uint64_t kLowerBits = (uint64_t{1} << 29) - 1;

  const int interval = static_cast<int>(fraction_bits >> (52 - 7));
  const bool halved = interval >= kLogTableFirstHalved;
  const uint64_t m_bits = fraction_bits | (halved ? kBitsOfHalf : kBitsOfOne);
  const double m = std::bit_cast<double>(m_bits);
  const double m1 = std::bit_cast<double>(m_bits & ~kLowerBits);
  const double e = exponent + (halved ? 1 : 0);

  const LogParts& entry = kLogTable[interval];
  const double coarse = m1 * entry.reciprocal - 1;  // exact
  const double fine = (m - m1) * entry.reciprocal;  // exact
  const double z = coarse + fine;
  const double leading = (e * kLn2Head + entry.head) + coarse;  // exact
  const DoubleDouble sum = FastTwoSum(leading, -0.5 * coarse * coarse);
  const double tails = e * kLn2Tail + entry.tail;
  const double rest = tails - fine * (coarse + 0.5 * fine);
  const double low = sum.low + (z * z * z * LogSeries(z) + (fine + rest));
  return {sum.high, low, 0x1p-73};
}

// The first stage of ExactLog: log(x 2^extra_exponent) for positive, finite and normal x.
inline BoundedLog QuickLog(double x, int extra_exponent = 0) {
  constexpr uint64_t kFractionMask = (uint64_t{1} << 52) - 1;
  const double z = x - 1;  // Exact where it is used.
  if (std::fabs(z) <= 0x1p-8 && extra_exponent == 0) return QuickLogNearOne(z);
  const auto bits = std::bit_cast<uint64_t>(x);
  const int exponent = static_cast<int>(bits >> 52) - 1023 + extra_exponent;
  return QuickLogFarFromOne(bits & kFractionMask, exponent);
}

}  // namespace logitchain::internal

#endif  // LOGITCHAIN_CORE_NUMERICS_QUICK_LOG_H_
