#ifndef LOGITCHAIN_CORE_RANDOM_SUB_STREAM_H_
#define LOGITCHAIN_CORE_RANDOM_SUB_STREAM_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "logitchain/core/random/pcg32.h"

namespace logitchain {

// Sub-streams: independent generators that all follow from one seed, one for each purpose, so
// that taking more randomness for one purpose never shifts what another one sees.
//
// A sub-stream depends on the seed and the purpose alone, never on the position of any generator.

// What a sub-stream is for. The named ids are those of the sampling spec. Every other 64-bit value
// is a purpose as well; PurposeNamed makes one from a name.
enum class Purpose : uint64_t {
  kInit = 1,
  kDropout = 2,
  kShuffle = 3,
  kSample = 4,  // The terminal draw.
  kMutation = 5,
};

// The purpose of this name: FNV-1a of its bytes (G. Fowler, L. Noll, K. Vo, 64 bits), through
// Mix64, with bit 62 set, so that it is none of those above and its sub-stream's sequence none of
// theirs.
Purpose PurposeNamed(absl::string_view name);

// The finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number
// Generators", 2014, with the constants of S. Vigna's splitmix64.c): a bijection of 64-bit words
// that scatters every input bit. It is the finaliser alone: nothing is added first, so 0 maps to 0.
uint64_t Mix64(uint64_t value);

// The seed of the sub-stream of `seed` for `purpose`: Mix64(seed + purpose · 0x9E3779B97F4A7C15),
// modulo 2^64. For one purpose, different seeds have different child seeds, and for one seed,
// different purposes have.
uint64_t ChildSeed(uint64_t seed, Purpose purpose);

// The sub-stream itself: PCG32 started at the child seed, in the sequence that the purpose numbers.
Pcg32 SubStream(uint64_t seed, Purpose purpose);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_RANDOM_SUB_STREAM_H_
