#ifndef LOGITCHAIN_TESTS_REFERENCE_DICE_H_
#define LOGITCHAIN_TESTS_REFERENCE_DICE_H_

#include <cstdint>
#include <initializer_list>

#include "logitchain/core/random/pcg32.h"

namespace logitchain {

// Picks what a random case is made of: the same for a seed on every machine.
class Dice {
 public:
  explicit Dice(uint64_t seed) : generator_(seed) {}

  double Uniform() { return generator_.NextUniform(); }
  double Between(double low, double high) { return low + (high - low) * Uniform(); }
  int Below(int n) { return static_cast<int>(Uniform() * n); }
  bool Chance(double p) { return Uniform() < p; }

  // About N(0, 1).
  double Normal() {
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += generator_.Next();
    return sum * 0x1p-32 - 6;
  }

  template <typename T>
  T OneOf(std::initializer_list<T> values) {
    return values.begin()[Below(static_cast<int>(values.size()))];
  }

 private:
  Pcg32 generator_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_REFERENCE_DICE_H_
