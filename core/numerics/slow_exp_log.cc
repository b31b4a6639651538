#include "logitchain/core/numerics/slow_exp_log.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "logitchain/core/numerics/fixed_point.h"

namespace logitchain::internal {
namespace {

constexpr int kDoubleFractionBits = 52;
constexpr int kMinNormalExponent = -1022;

// floor(2^192 ln 2) / 2^192
constexpr FixedPoint kLn2({0x40f343267298b62d, 0xc9e3b39803f2f6af, 0xb17217f7d1cf79ab, 0});

// significand * 2^exponent
struct ScaledFixedPoint {
  FixedPoint significand;
  int exponent;
};

// e^r for r in [0, 0.7), with a relative error below 2^-182.
//
// e^r = (e^t)^256 with t = r / 256, and 18! e^t by Taylor's series in Horner's form, where all
// coefficients 18! / n! are integers. The series leaves out t^19 / 19! < 2^-218. Its steps, rounded
// down by 2^-192 each, hardly count after the division by 18!; that, and t itself, are rounded down
// once, so that e^t is off by less than 2^-190.9. Squaring doubles the relative error eight times,
// and adds up to 2^-192 every time: 2^-182.9 + 2^-184 in all.
FixedPoint ExpBySquaring(const FixedPoint& r) {
  constexpr int kSquarings = 8;
  constexpr uint64_t kTerms = 18;
  const FixedPoint t = r / (uint64_t{1} << kSquarings);
  uint64_t coefficient = 1;  // 18! / n!
  FixedPoint sum = FixedPoint::FromInteger(coefficient);
  for (uint64_t n = kTerms; n > 0; --n) {
    coefficient *= n;
    sum = FixedPoint::FromInteger(coefficient) + t * sum;
  }
  FixedPoint power = sum / coefficient;
  for (int i = 0; i < kSquarings; ++i) power = power * power;
  return power;
}

// e^(±magnitude) with its significand in [1, 2 + 2^-18). Needs magnitude < 746.
// ln 2 is short by less than 2^-192 and taken at most 1077 times, so the relative error is below
// 2^-181.9 + 2^-182 < 2^-180.
ScaledFixedPoint ExpOf(bool negative, const FixedPoint& magnitude) {
  // The exponent is chosen low by a hair, so that r > 0 however the product below is rounded. Bits
  // below 2^-64 of the magnitude do not matter here.
  const double rough = static_cast<double>(magnitude.integer()) +
                       static_cast<double>(magnitude.limbs()[2]) * 0x1p-64;
  const double powers = (negative ? -rough : rough) * std::numbers::log2e;
  const int exponent = static_cast<int>(std::floor(powers - 0x1p-20));
  const FixedPoint whole = kLn2 * FixedPoint::FromInteger(std::abs(exponent));
  // r = ±magnitude - exponent * ln 2. A positive x below about 2^-20 has exponent -1.
  if (negative) return {ExpBySquaring(whole - magnitude), exponent};
  if (exponent < 0) return {ExpBySquaring(whole + magnitude), exponent};
  return {ExpBySquaring(magnitude - whole), exponent};
}

// `scaled`, of significand in [1, 4), rounded to the nearest double, subnormal or not. Never a tie.
double RoundToDouble(const ScaledFixedPoint& scaled) {
  const FixedPoint::Limbs& limbs = scaled.significand.limbs();
  const int exponent = scaled.exponent + (scaled.significand.integer() > 1 ? 1 : 0);
  // The last bit that is kept is 2^grid.
  const int grid = std::max(exponent, kMinNormalExponent) - kDoubleFractionBits;
  // Its place after the significand's point, -2 to 52; the bit after it decides.
  const int kept_bits = scaled.exponent - grid;
  // The significand's upper bits, with 61 after the point.
  const uint64_t upper = (scaled.significand.integer() << 61) | (limbs[2] >> 3);
  const uint64_t twice = upper >> (61 - kept_bits - 1);
  const uint64_t rounded = (twice >> 1) + (twice & 1);
  return std::ldexp(static_cast<double>(rounded), grid);
}

}  // namespace

double SlowExp(double x) {
  return RoundToDouble(ExpOf(x < 0, FixedPoint::FromDouble(std::fabs(x))));
}

double SlowLog(double x, double nearest, bool above) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double neighbour = std::nextafter(nearest, above ? kInfinity : -kInfinity);
  const FixedPoint middle =
      (FixedPoint::FromDouble(std::fabs(nearest)) + FixedPoint::FromDouble(std::fabs(neighbour))) /
      2;
  const ScaledFixedPoint exp_middle = ExpOf(nearest < 0, middle);
  const FixedPoint scaled_x = FixedPoint::FromDouble(std::ldexp(x, -exp_middle.exponent));
  const bool above_middle = scaled_x > exp_middle.significand;
  return above_middle ? std::max(nearest, neighbour) : std::min(nearest, neighbour);
}

}  // namespace logitchain::internal
