#include "logitchain/core/random/mt19937.h"

#include <algorithm>
#include <cstdint>

namespace logitchain {

double CanonicalDouble(uint32_t low, uint32_t high) {
  // Both terms are exact, so the sum is the only rounding. It reaches 2^64 for the largest words.
  const double sum = static_cast<double>(low) + static_cast<double>(high) * 0x1p32;
  return std::min(sum * 0x1p-64, 1.0 - 0x1p-53);
}

float CanonicalFloat(uint32_t word) {
  // The conversion rounds to 24 bits, which takes the largest words to 2^32.
  return std::min(static_cast<float>(word) * 0x1p-32f, 1.0f - 0x1p-24f);
}

double Mt19937::NextCanonicalDouble() {
  const uint32_t low = Next();
  const uint32_t high = Next();
  return CanonicalDouble(low, high);
}

}  // namespace logitchain
