#ifndef LOGITCHAIN_CORE_RANDOM_MT19937_H_
#define LOGITCHAIN_CORE_RANDOM_MT19937_H_

#include <cstdint>
#include <random>

namespace logitchain {

// The double of llama.cpp's draw, from two successive words: (low + high · 2^32) / 2^64, in
// [0, 1). The sum is rounded once, to nearest; where that would give 1 the result is 1 - 2^-53.
//
// The C++ standard leaves the rounding of std::generate_canonical and of
// std::uniform_real_distribution to the library; these two functions do what libstdc++ 12 does,
// everywhere.
double CanonicalDouble(uint32_t low, uint32_t high);

// The float of llama.cpp's XTC, from one word: word / 2^32, in [0, 1). The word is rounded to a
// float first; where that would give 1 the result is 1 - 2^-24.
float CanonicalFloat(uint32_t word);

// The Mersenne twister MT19937 (M. Matsumoto, T. Nishimura, 1998), whose words the C++ standard
// fixes as std::mt19937; here with llama.cpp's uniforms in place of the standard's distributions.
//
// Not cryptographic. Copies are independent and go on from the same place; each has about 5 kB.
// Not synchronised.
class Mt19937 {
 public:
  explicit Mt19937(uint32_t seed) : engine_(seed) {}

  // The next word, uniform in [0, 2^32).
  uint32_t Next() { return static_cast<uint32_t>(engine_()); }

  // Moves on as `words` calls of Next() would, in O(words): this generator has no short cut.
  void Discard(uint64_t words) { engine_.discard(words); }

  // Takes two words, the low one first.
  double NextCanonicalDouble();

  // Takes one word.
  float NextCanonicalFloat() { return CanonicalFloat(Next()); }

 private:
  std::mt19937 engine_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_RANDOM_MT19937_H_
