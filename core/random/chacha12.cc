#include "logitchain/core/random/chacha12.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace logitchain {
namespace {

// "expand 32-byte k" as four little-endian words.
constexpr std::array<uint32_t, 4> kConstants = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

// A double round is one round over the columns and one over the diagonals.
constexpr int kDoubleRounds = 6;

void QuarterRound(uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d) {
  a += b;
  d = std::rotl(d ^ a, 16);
  c += d;
  b = std::rotl(b ^ c, 12);
  a += b;
  d = std::rotl(d ^ a, 8);
  c += d;
  b = std::rotl(b ^ c, 7);
}

void DoubleRound(std::array<uint32_t, 16>& x) {
  QuarterRound(x[0], x[4], x[8], x[12]);
  QuarterRound(x[1], x[5], x[9], x[13]);
  QuarterRound(x[2], x[6], x[10], x[14]);
  QuarterRound(x[3], x[7], x[11], x[15]);
  QuarterRound(x[0], x[5], x[10], x[15]);
  QuarterRound(x[1], x[6], x[11], x[12]);
  QuarterRound(x[2], x[7], x[8], x[13]);
  QuarterRound(x[3], x[4], x[9], x[14]);
}

}  // namespace

ChaCha12::ChaCha12(uint64_t seed) : key_(KeyFromSeed(seed)) {}

uint32_t ChaCha12::Next() {
  const uint64_t word = position_ % kBlockWords;
  if (word == 0) block_ = ComputeBlock(position_ / kBlockWords);
  ++position_;
  return block_[word];
}

float ChaCha12::NextUniformFloat() { return static_cast<float>(Next() >> 8) * 0x1p-24f; }

void ChaCha12::Seek(uint64_t word_index) {
  position_ = word_index;
  if (position_ % kBlockWords != 0) block_ = ComputeBlock(position_ / kBlockWords);
}

ChaCha12::Key ChaCha12::KeyFromSeed(uint64_t seed) {
  // `rand_core` 0.6 fills the key from a PCG32 of its own: this increment, no seeding steps, and
  // output from the state after each step rather than before it.
  Key key;
  for (uint32_t& word : key) {
    seed = seed * 6364136223846793005 + 11634580027462260723u;
    const auto folded = static_cast<uint32_t>(((seed >> 18) ^ seed) >> 27);
    word = std::rotr(folded, static_cast<int>(seed >> 59));
  }
  return key;
}

ChaCha12::Block ChaCha12::ComputeBlock(uint64_t counter) const {
  Block input{};  // Words 14 and 15, the stream id, stay 0.
  std::copy(kConstants.begin(), kConstants.end(), input.begin());
  std::copy(key_.begin(), key_.end(), input.begin() + kConstants.size());
  input[12] = static_cast<uint32_t>(counter);
  input[13] = static_cast<uint32_t>(counter >> 32);

  Block block = input;
  for (int i = 0; i < kDoubleRounds; ++i) DoubleRound(block);
  for (int i = 0; i < kBlockWords; ++i) block[i] += input[i];
  return block;
}

}  // namespace logitchain
