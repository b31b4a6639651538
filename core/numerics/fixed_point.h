#ifndef LOGITCHAIN_CORE_NUMERICS_FIXED_POINT_H_
#define LOGITCHAIN_CORE_NUMERICS_FIXED_POINT_H_

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace logitchain::internal {

// A number in [0, 2^64) with 192 bits after the point, for the last word on a rounding. It is made
// to be obviously right, not fast: schoolbook arithmetic on 64-bit limbs.
class FixedPoint {
 public:
  static constexpr int kFractionBits = 192;
  static constexpr size_t kLimbs = 4;
  // Least significant first: three limbs of fraction, then the integer.
  using Limbs = std::array<uint64_t, kLimbs>;

  constexpr FixedPoint() = default;
  explicit constexpr FixedPoint(const Limbs& limbs) : limbs_(limbs) {}

  static constexpr FixedPoint FromInteger(uint64_t integer) {
    return FixedPoint({0, 0, 0, integer});
  }
  // Exact. `value` is 0 or in [2^-128, 2^63).
  static FixedPoint FromDouble(double value);

  uint64_t integer() const { return limbs_[kLimbs - 1]; }
  const Limbs& limbs() const { return limbs_; }

  // The sum, and the difference of a number that is not smaller; both exact, and the sum below
  // 2^64.
  friend FixedPoint operator+(const FixedPoint& a, const FixedPoint& b);
  friend FixedPoint operator-(const FixedPoint& a, const FixedPoint& b);
  // The product, which is below 2^64, rounded down to a multiple of 2^-192.
  friend FixedPoint operator*(const FixedPoint& a, const FixedPoint& b);
  // The quotient, rounded down to a multiple of 2^-192. The divisor is not 0.
  friend FixedPoint operator/(const FixedPoint& a, uint64_t divisor);

  friend bool operator==(const FixedPoint&, const FixedPoint&) = default;
  friend std::strong_ordering operator<=>(const FixedPoint& a, const FixedPoint& b);

 private:
  Limbs limbs_ = {};
};

}  // namespace logitchain::internal

#endif  // LOGITCHAIN_CORE_NUMERICS_FIXED_POINT_H_
