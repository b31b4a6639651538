#include "logitchain/core/numerics/exact_exp.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "logitchain/core/numerics/double_double.h"
#include "logitchain/core/numerics/quick_exp.h"
#include "logitchain/core/numerics/slow_exp_log.h"

namespace logitchain {
namespace {

using internal::DoubleDouble;
using internal::FastTwoSum;
using internal::kExpOrdinary;
using internal::kExpOverflow;
using internal::kExpUnderflow;
using internal::kQuickExpError;
using internal::QuickExp;
using internal::ScaledDoubleDouble;
using internal::SlowExp;

// significand * 2^exponent for a positive significand, when that is normal or rounds up to +∞.
double Scale(double significand, int exponent) {
  const uint64_t exponent_bits = static_cast<uint64_t>(static_cast<int64_t>(exponent)) << 52;
  return std::bit_cast<double>(std::bit_cast<uint64_t>(significand) + exponent_bits);
}

double RoundNormal(double x, const ScaledDoubleDouble& exp) {
  const double lower = exp.head + (exp.tail - kQuickExpError);
  const double upper = exp.head + (exp.tail + kQuickExpError);
  if (lower != upper) [[unlikely]] {
    return SlowExp(x);
  }
  return Scale(lower, exp.exponent);
}

// Rounds a result below 2^-1022 = unit * 2^exponent. A subnormal has as many bits as it has in
// unit + head + tail, which is in [unit, 2 unit]; so they are added before the rounding, and what
// is left of the sum's bits without those of the unit is the subnormal.
double RoundSubnormal(double x, const ScaledDoubleDouble& exp, double unit) {
  const DoubleDouble sum = FastTwoSum(unit, exp.head);
  // Doubled, for the rounding errors that the additions here make.
  const double error = 2 * kQuickExpError * unit;
  const double lower = sum.high + (sum.low + (exp.tail - error));
  const double upper = sum.high + (sum.low + (exp.tail + error));
  if (lower != upper) [[unlikely]] {
    return SlowExp(x);
  }
  return std::bit_cast<double>(std::bit_cast<uint64_t>(lower) - std::bit_cast<uint64_t>(unit));
}

// e^x for |x| >= kExpOrdinary or NaN.
double ExpAtTheEdges(double x) {
  if (std::isnan(x)) return x + x;  // quiet
  if (x >= kExpOverflow) return std::numeric_limits<double>::infinity();
  if (x <= kExpUnderflow) return 0;
  const ScaledDoubleDouble exp = QuickExp(x);
  if (x > 0) return RoundNormal(x, exp);
  const double unit = Scale(1, -1022 - exp.exponent);
  return exp.head + exp.tail < unit ? RoundSubnormal(x, exp, unit) : RoundNormal(x, exp);
}

}  // namespace

double ExactExp(double x) {
  if (!(std::fabs(x) < kExpOrdinary)) [[unlikely]] {
    return ExpAtTheEdges(x);
  }
  return RoundNormal(x, QuickExp(x));
}

}  // namespace logitchain
