#ifndef LOGITCHAIN_CORE_RANDOM_PCG32_H_
#define LOGITCHAIN_CORE_RANDOM_PCG32_H_

#include <cstdint>

namespace logitchain {

// PCG32: the generator PCG XSH-RR 64/32 of M. E. O'Neill, "PCG: A Family of Simple Fast
// Space-Efficient Statistically Good Algorithms for Random Number Generation" (2014), seeded as
// `pcg32_srandom` of that paper's library does.
//
// The state is a 64-bit linear congruential generator with period 2^64; an output is a
// permutation of the state's upper bits. The sequence chooses one of 2^63 different streams.
//
//   Pcg32 generator(42);
//   uint32_t word = generator.Next();  // 0xa15c02b7
//
// Not cryptographic. Copies are independent and go on from the same place. Not synchronised.
class Pcg32 {
 public:
  // The sequence of the reference library's own examples.
  static constexpr uint64_t kDefaultSequence = 54;

  // Only the low 63 bits of `sequence` count.
  explicit Pcg32(uint64_t initial_state, uint64_t sequence = kDefaultSequence);

  // The next word, uniform in [0, 2^32).
  uint32_t Next();

  // The next double, uniform in [0, 1): a multiple of 2^-53 made of two words, the first giving
  // its upper 27 bits and the second its lower 26.
  double NextUniform();

  // Moves on as `steps` calls of Next() would, in O(log steps): F. Brown, "Random Number
  // Generation with Arbitrary Strides" (1994). Steps are modulo the period 2^64, so
  // `Advance(-n)` in unsigned arithmetic goes back n words.
  void Advance(uint64_t steps);

  // Equal generators give equal words for ever.
  friend bool operator==(const Pcg32&, const Pcg32&) = default;

 private:
  void Step();

  uint64_t state_ = 0;
  uint64_t increment_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_RANDOM_PCG32_H_
