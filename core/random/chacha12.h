#ifndef LOGITCHAIN_CORE_RANDOM_CHACHA12_H_
#define LOGITCHAIN_CORE_RANDOM_CHACHA12_H_

#include <array>
#include <cstdint>

namespace logitchain {

// ChaCha12: D. J. Bernstein's "ChaCha, a variant of Salsa20" (2008) with 12 rounds, as a generator.
// It gives word for word what Rust's `rand` 0.8 gives as `StdRng::seed_from_u64(seed)`: the key is
// spread from the seed, the block counter has 64 bits and starts at 0, the stream id is 0, and the
// sixteen words of each block come in order.
//
// As a cipher it is only as secret as the 64-bit seed. Copies are independent and go on from the
// same place. Not synchronised.
class ChaCha12 {
 public:
  explicit ChaCha12(uint64_t seed);

  // The next word, uniform in [0, 2^32). Every sixteenth call computes a block.
  uint32_t Next();

  // The next float, uniform in [0, 1): the upper 24 bits of one word, times 2^-24.
  float NextUniformFloat();

  // Words taken so far, or the index given to Seek() plus the words since. Modulo 2^64: words past
  // that repeat the stream, where `rand` would go on.
  uint64_t position() const { return position_; }

  // Makes word `word_index` (from 0) the next one, in O(1), forwards or backwards.
  void Seek(uint64_t word_index);

 private:
  static constexpr int kKeyWords = 8;
  static constexpr int kBlockWords = 16;
  using Key = std::array<uint32_t, kKeyWords>;
  using Block = std::array<uint32_t, kBlockWords>;

  static Key KeyFromSeed(uint64_t seed);
  Block ComputeBlock(uint64_t counter) const;

  Key key_;
  // The block that holds word `position_`; stale while that is the first word of its block.
  Block block_{};
  uint64_t position_ = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_RANDOM_CHACHA12_H_
