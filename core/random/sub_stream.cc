#include "logitchain/core/random/sub_stream.h"

#include <cstdint>

#include "absl/strings/string_view.h"
#include "logitchain/core/random/pcg32.h"

namespace logitchain {
namespace {

// 2^64 divided by the golden ratio, made odd: SplitMix64's distance between seeds.
constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;

}  // namespace

Purpose PurposeNamed(absl::string_view name) {
  uint64_t hash = 0xCBF29CE484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return Purpose{Mix64(hash) | uint64_t{1} << 62};
}

uint64_t Mix64(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
  return value ^ (value >> 31);
}

uint64_t ChildSeed(uint64_t seed, Purpose purpose) {
  return Mix64(seed + static_cast<uint64_t>(purpose) * kGolden);
}

Pcg32 SubStream(uint64_t seed, Purpose purpose) {
  return Pcg32(ChildSeed(seed, purpose), static_cast<uint64_t>(purpose));
}

}  // namespace logitchain
