#ifndef LOGITCHAIN_TESTS_CORE_NUMERICS_RANDOM_BITS_H_
#define LOGITCHAIN_TESTS_CORE_NUMERICS_RANDOM_BITS_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

namespace logitchain {

// Arguments for numeric tests: the same on every machine, as the standard's distributions are not.
class RandomBits {
 public:
  explicit RandomBits(uint64_t seed) : engine_(seed) {}

  uint64_t Next() { return engine_(); }

  // Evenly in [low, high].
  double Between(double low, double high) {
    return low + (high - low) * (static_cast<double>(Next() >> 11) * 0x1p-53);
  }

  // ±1.xxx * 2^exponent with an integer exponent evenly in [low, high].
  double WithExponentBetween(int low, int high) {
    const int exponent = low + static_cast<int>(Next() % static_cast<uint64_t>(high - low + 1));
    const double magnitude = std::ldexp(Between(1, 2), exponent);
    return (Next() & 1) != 0 ? magnitude : -magnitude;
  }

  // Any bits at all: every exponent is as likely, and NaN and infinities occur.
  double AnyDouble() { return std::bit_cast<double>(Next()); }
  float AnyFloat() { return std::bit_cast<float>(static_cast<uint32_t>(Next())); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_CORE_NUMERICS_RANDOM_BITS_H_
