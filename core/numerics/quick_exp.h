#ifndef LOGITCHAIN_CORE_NUMERICS_QUICK_EXP_H_
#define LOGITCHAIN_CORE_NUMERICS_QUICK_EXP_H_

#include <bit>
#include <cstdint>

#include "logitchain/core/numerics/double_double.h"
#include "logitchain/core/numerics/exp2_table.h"

namespace logitchain::internal {

// The range of e^x: from here on it is +∞, and up to here it is 0.
inline constexpr double kExpOverflow = 0x1.62e42fefa39fp9;
inline constexpr double kExpUnderflow = -0x1.74910d52d3052p9;
// Below this size of x, e^x is a normal double.
inline constexpr double kExpOrdinary = 708;

// 128 / ln 2
inline constexpr double kExpStepsPerUnit = 0x1.71547652b82fep7;
// ln 2 / 128 in two parts. The first has 34 bits, so that its product with an integer of 18 is
// exact.
inline constexpr double kExpStepHead = 0x1.62e42fefcp-8;
inline constexpr double kExpStepTail = -0x1.c610ca86c3899p-44;
// Adding 1.5 * 2^52 rounds to an integer, which is then found in the sum's lowest bits, and adding
// 1.5 * 2^18 to a multiple of 2^-34.
inline constexpr double kExpToInteger = 0x1.8p52;
inline constexpr double kExpToCoarse = 0x1.8p18;

// (head + tail) * 2^exponent, with head in [0.99, 2.01) and |tail| < 2^-16.
struct ScaledDoubleDouble {
  double head;
  double tail;
  int exponent;
};

// QuickExp's bound on |head + tail - e^x / 2^exponent|.
inline constexpr double kQuickExpError = 0x1.8p-67;

// The first stage of ExactExp. Needs |x| < 746; subnormal x are fine.
//
// Tang's method ("Table-Driven Implementation of the Exponential Function in IEEE Floating-Point
// Arithmetic", 1989), arranged so that the leading products are exact without a fused multiply-add:
//   e^x = 2^(n/128) e^r,  n = x * 128 / ln 2 rounded,  |r| < 2^-8.528
//   r = coarse + fine,    coarse a multiple of 2^-34 (so of 26 bits), |fine| < 2^-25
//   2^(j/128) = T + t,    T of 27 bits: T * coarse is exact
//   e^r = 1 + coarse + (fine + r^2 (1/2 + r/6 + r^2/24 + r^3/120 + r^4/720))
//
// Where the error comes from, in units of 2^-71 and with T at its largest, 2:
//   10    r^2 (1/2 + ...), below 2^-18.05: 2 half ulps by r's rounding, and 1 each by the square's,
//   the
//         factor's and the product's
//   1     fine + r^2 (...)
//   1     the product of that and T
//   1     adding t (1 + ...)
//   1     adding what T + T * coarse lost to rounding
//   1     adding or taking away this bound, which is done by who tests the rounding
//   1     the series' next term, r^7 / 5040 < 2^-72
//   1     r itself, off by less than 2^-78; the rounding of t; products of errors
// That makes 17 < 24 = 0x1.8p-67 / 2^-71. The largest error seen in 10^7 random x is 2^-67.9.
// Operations that are fused after all round less often, so the bound holds for them as well.
inline ScaledDoubleDouble QuickExp(double x) {
  const double shifted = x * kExpStepsPerUnit + kExpToInteger;
  const double n = shifted - kExpToInteger;
  const auto index =
      static_cast<int32_t>(std::bit_cast<int64_t>(shifted) - std::bit_cast<int64_t>(kExpToInteger));

  const double near = x - n * kExpStepHead;  // exact
  const double coarse = (near + kExpToCoarse) - kExpToCoarse;
  const double fine = (near - coarse) - n * kExpStepTail;
  const double r = coarse + fine;
  const double series =
      1.0 / 2 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720))));
  const double small = fine + r * r * series;

  const Exp2Parts& power = kExp2Table[index & (kExp2TableSize - 1)];
  const DoubleDouble sum = FastTwoSum(power.head, power.head * coarse);
  const double tail = sum.low + (power.head * small + (power.tail + power.tail * (coarse + small)));
  return {sum.high, tail, index >> kExp2TableBits};
}

}  // namespace logitchain::internal

#endif  // LOGITCHAIN_CORE_NUMERICS_QUICK_EXP_H_
