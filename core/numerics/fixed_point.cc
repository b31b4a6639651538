#include "logitchain/core/numerics/fixed_point.h"

#include <array>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace logitchain::internal {
namespace {

// ISO C++ has no 128-bit integer, but every compiler that this project supports does.
__extension__ using Uint128 = unsigned __int128;

constexpr int kLimbBits = 64;

uint64_t Low(Uint128 wide) { return static_cast<uint64_t>(wide); }
uint64_t High(Uint128 wide) { return static_cast<uint64_t>(wide >> kLimbBits); }

}  // namespace

FixedPoint FixedPoint::FromDouble(double value) {
  int exponent = 0;
  // value = mantissa * 2^(exponent - 53), and the mantissa is an integer.
  const double mantissa = std::ldexp(std::frexp(value, &exponent), 53);
  if (mantissa == 0) return FixedPoint();
  const int position = exponent - 53 + kFractionBits;
  const size_t limb = position / kLimbBits;
  const Uint128 shifted = Uint128{static_cast<uint64_t>(mantissa)} << (position % kLimbBits);
  FixedPoint result;
  result.limbs_[limb] = Low(shifted);
  if (limb + 1 < kLimbs) result.limbs_[limb + 1] = High(shifted);
  return result;
}

FixedPoint operator+(const FixedPoint& a, const FixedPoint& b) {
  FixedPoint sum;
  uint64_t carry = 0;
  for (size_t i = 0; i < FixedPoint::kLimbs; ++i) {
    const Uint128 wide = Uint128{a.limbs_[i]} + b.limbs_[i] + carry;
    sum.limbs_[i] = Low(wide);
    carry = High(wide);
  }
  return sum;
}

FixedPoint operator-(const FixedPoint& a, const FixedPoint& b) {
  FixedPoint difference;
  uint64_t borrow = 0;
  for (size_t i = 0; i < FixedPoint::kLimbs; ++i) {
    const Uint128 wide = Uint128{a.limbs_[i]} - b.limbs_[i] - borrow;
    difference.limbs_[i] = Low(wide);
    borrow = High(wide) != 0;
  }
  return difference;
}

FixedPoint operator*(const FixedPoint& a, const FixedPoint& b) {
  std::array<uint64_t, 2 * FixedPoint::kLimbs> product = {};
  for (size_t i = 0; i < FixedPoint::kLimbs; ++i) {
    uint64_t carry = 0;
    for (size_t j = 0; j < FixedPoint::kLimbs; ++j) {
      const Uint128 wide = Uint128{a.limbs_[i]} * b.limbs_[j] + product[i + j] + carry;
      product[i + j] = Low(wide);
      carry = High(wide);
    }
    product[i + FixedPoint::kLimbs] = carry;
  }
  // The product has 2 * 192 bits after the point; the lower 192, three limbs, are dropped.
  return FixedPoint({product[3], product[4], product[5], product[6]});
}

FixedPoint operator/(const FixedPoint& a, uint64_t divisor) {
  FixedPoint quotient;
  uint64_t remainder = 0;
  for (size_t i = FixedPoint::kLimbs; i-- > 0;) {
    const Uint128 wide = (Uint128{remainder} << kLimbBits) | a.limbs_[i];
    quotient.limbs_[i] = Low(wide / divisor);
    remainder = Low(wide % divisor);
  }
  return quotient;
}

std::strong_ordering operator<=>(const FixedPoint& a, const FixedPoint& b) {
  for (size_t i = FixedPoint::kLimbs; i-- > 0;) {
    if (a.limbs_[i] != b.limbs_[i]) return a.limbs_[i] <=> b.limbs_[i];
  }
  return std::strong_ordering::equal;
}

}  // namespace logitchain::internal
