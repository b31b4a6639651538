#include "logitchain/core/numerics/float_exp.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "logitchain/core/numerics/double_double.h"
#include "logitchain/core/numerics/exact_exp.h"
#include "logitchain/core/numerics/exp2_table.h"
#include "logitchain/core/numerics/quick_exp.h"
#include "logitchain/core/numerics/quick_log.h"

namespace logitchain {
namespace {

using internal::BoundedLog;
using internal::DoubleDouble;
using internal::Exp2Parts;
using internal::FastTwoSum;
using internal::kExp2Table;
using internal::kExp2TableSize;
using internal::QuickExp;
using internal::QuickLog;
using internal::ScaledDoubleDouble;
using internal::TwoProduct;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Adds `exponent` to the exponent of a normal double whose result is normal too.
double ScaleByPowerOf2(double value, int64_t exponent) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(value) +
                               (static_cast<uint64_t>(exponent) << 52));
}

// factor * (high + low) for |low| <= 2^-12 |high|, with a relative error below 2^-100 besides that
// of low. `factor_low` is added to the factor.
DoubleDouble Times(const BoundedLog& log, double factor, double factor_low = 0) {
  const DoubleDouble product = TwoProduct(log.high, factor);
  const double low = product.low + (log.low * factor + log.high * factor_low);
  return FastTwoSum(product.high, low);
}

// e^(power.high + power.low) rounded to double, for |power.high| < 700 and tiny power.low.
double Exp(const DoubleDouble& power) {
  const ScaledDoubleDouble exp = QuickExp(power.high);
  return ScaleByPowerOf2(exp.head + (exp.tail + exp.head * power.low), exp.exponent);
}

bool IsInteger(float y) { return std::trunc(y) == y; }

bool IsOddInteger(float y) { return IsInteger(y) && !IsInteger(y / 2); }

// x^y for x > 0, and neither x = 1 nor y = 0 nor a NaN.
float PowOfPositive(float x, float y) {
  if (x == kInfinity) return y > 0 ? kInfinity : 0;
  if (std::isinf(y)) return (x > 1) == (y > 0) ? kInfinity : 0;
  const DoubleDouble power = Times(QuickLog(x), y);
  // Beyond these every result is ∞ or 0.
  if (power.high > 90) return kInfinity;
  if (power.high < -105) return 0;
  return static_cast<float>(Exp(power));
}

}  // namespace

float GlibcExpf(float x) {
  constexpr float kOverflow = 0x1.62e42ep6f;
  constexpr float kUnderflow = -0x1.9fe368p6f;
  constexpr double kToInteger = 0x1.8p52;  // Adding it rounds to an integer.
  constexpr int kStepsLog2 = 5;
  constexpr int kSteps = 1 << kStepsLog2;  // for a factor of 2
  constexpr double kStepsPerUnit = 0x1.71547652b82fep0 * kSteps;
  // The polynomial's coefficients, as published; it is in r, a fraction of a step.
  constexpr double kStep = 1.0 / kSteps;
  constexpr double kCubic = 0x1.c6af84b912394p-5 * kStep * kStep * kStep;
  constexpr double kQuadratic = 0x1.ebfce50fac4f3p-3 * kStep * kStep;
  constexpr double kLinear = 0x1.62e42ff0c52d6p-1 * kStep;

  if (std::isnan(x)) return x + x;  // quiet
  if (x > kOverflow) return kInfinity;
  if (x < kUnderflow) return 0;
  const double steps = x * kStepsPerUnit;
  const double shifted = steps + kToInteger;
  const double n = shifted - kToInteger;
  const double r = steps - n;
  const auto index = std::bit_cast<int64_t>(shifted) - std::bit_cast<int64_t>(kToInteger);
  const Exp2Parts& parts = kExp2Table[(index & (kSteps - 1)) * (kExp2TableSize / kSteps)];
  const double power = ScaleByPowerOf2(parts.head + parts.tail, index >> kStepsLog2);
  // The order of these operations is part of the definition.
  const double upper = kCubic * r + kQuadratic;
  const double lower = kLinear * r + 1;
  return static_cast<float>((upper * (r * r) + lower) * power);
}

float RoundedExpf(float x) { return static_cast<float>(ExactExp(x)); }

float RoundedLogf(float x) { return static_cast<float>(ExactLog(x)); }

float RoundedLog2f(float x) {
  // 1 / ln 2 = log2(e) in two parts.
  constexpr double kLog2eHead = 0x1.71547652b82fep0;
  constexpr double kLog2eTail = 0x1.777d0ffda0d24p-56;
  if (!(x > 0 && x < kInfinity)) return RoundedLogf(x);  // the same special values
  return static_cast<float>(Times(QuickLog(x), kLog2eHead, kLog2eTail).high);
}

float RoundedPowf(float x, float y) {
  if (x == 1 || y == 0) return 1;
  if (std::isnan(x) || std::isnan(y)) return x + y;
  const bool negative = std::signbit(x) && IsOddInteger(y);
  const float size = std::fabs(x);
  if (x < 0 && size < kInfinity && std::isfinite(y) && !IsInteger(y)) return kNan;
  float result = 1;
  if (size == 0) {
    result = y > 0 ? 0 : kInfinity;
  } else if (size != 1) {
    result = PowOfPositive(size, y);
  }
  return negative ? -result : result;
}

}  // namespace logitchain
