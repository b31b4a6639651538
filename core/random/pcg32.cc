#include "logitchain/core/random/pcg32.h"

#include <bit>
#include <cstdint>

namespace logitchain {
namespace {

constexpr uint64_t kMultiplier = 6364136223846793005;

// XSH-RR: an xorshift folds the high bits down, then the top five bits choose a rotation.
uint32_t Permute(uint64_t state) {
  const auto folded = static_cast<uint32_t>(((state >> 18) ^ state) >> 27);
  return std::rotr(folded, static_cast<int>(state >> 59));
}

}  // namespace

Pcg32::Pcg32(uint64_t initial_state, uint64_t sequence) : increment_((sequence << 1) | 1) {
  Step();
  state_ += initial_state;
  Step();
}

uint32_t Pcg32::Next() {
  const uint32_t word = Permute(state_);
  Step();
  return word;
}

double Pcg32::NextUniform() {
  const uint64_t upper = Next() >> 5;
  const uint64_t lower = Next() >> 6;
  return static_cast<double>((upper << 26) | lower) * 0x1p-53;
}

void Pcg32::Advance(uint64_t steps) {
  // One step is the affine map x -> m·x + c. `multiplier` and `increment` are the map of 2^i steps
  // in round i; squaring it gives the next one, and the set bits of `steps` say which to apply.
  uint64_t multiplier = kMultiplier;
  uint64_t increment = increment_;
  for (; steps != 0; steps >>= 1) {
    if (steps & 1) state_ = state_ * multiplier + increment;
    increment *= multiplier + 1;
    multiplier *= multiplier;
  }
}

void Pcg32::Step() { state_ = state_ * kMultiplier + increment_; }

}  // namespace logitchain
