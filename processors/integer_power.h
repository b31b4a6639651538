#ifndef LOGITCHAIN_PROCESSORS_INTEGER_POWER_H_
#define LOGITCHAIN_PROCESSORS_INTEGER_POWER_H_

#include <cstdint>

namespace logitchain {

// base^exponent by repeated squaring in float64, the same on every machine; within about
// 2 · log2(exponent) ulp. +∞ where it overflows. exponent ≥ 0.
inline double IntegerPower(double base, int64_t exponent) {
  double power = 1;
  for (double square = base; exponent > 0; exponent /= 2, square *= square) {
    if (exponent % 2 == 1) power *= square;
  }
  return power;
}

// Rules whose effect grows without bound stop here: nothing could make up for it, and a temperature
// can still divide it without overflow in float32.
inline constexpr double kLargestShift = 1e30;

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_INTEGER_POWER_H_
