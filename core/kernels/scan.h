#ifndef LOGITCHAIN_CORE_KERNELS_SCAN_H_
#define LOGITCHAIN_CORE_KERNELS_SCAN_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"

namespace logitchain {

// Logits are scanned in blocks of this many.
inline constexpr size_t kBlockSize = 256;

inline constexpr size_t BlockCount(size_t logits) { return (logits + kBlockSize - 1) / kBlockSize; }

// A set of tokens, one bit each: bit i of word w is token 32·w + i. An empty span stands for all
// tokens; spare bits are ignored.
using TokenSet = absl::Span<const uint32_t>;

// The set's words, or null for all tokens: an empty span may still point somewhere.
inline const uint32_t* WordsOf(TokenSet set) { return set.empty() ? nullptr : set.data(); }

inline bool HasToken(TokenSet set, size_t id) {
  return set.empty() || ((set[id / 32] >> (id % 32)) & 1) != 0;
}

// Of a set that is not empty.
inline void AddToken(size_t id, absl::Span<uint32_t> set) {
  set[id / 32] |= uint32_t{1} << (id % 32);
}
inline void RemoveToken(size_t id, absl::Span<uint32_t> set) {
  set[id / 32] &= ~(uint32_t{1} << (id % 32));
}

// Words that it takes to hold a bit for each of so many tokens.
inline constexpr size_t WordCount(size_t tokens) { return (tokens + 31) / 32; }

struct ScanResult {
  // Whether any logit, in the set or not, is NaN or +∞.
  bool has_bad;
  // Logits of the set that are not −∞.
  int32_t live;
};

// Reads all logits once. Fills block_max[b], b < BlockCount, with the largest logit of block b that
// is in `set`, or −∞. Where a bad logit is in the set, the maxima are of no use.
ScanResult ScanBlocks(absl::Span<const float> logits, TokenSet set, absl::Span<float> block_max);

// Bounds, here and below, are finite or +∞.

// The largest of the logits [begin, end) that are in `set`, or −∞. `begin` is a multiple of 32.
float MaxInSet(absl::Span<const float> logits, size_t begin, size_t end, TokenSet set);

// Writes the ids of [begin, end) in `set` with a logit ≥ bound, ascending, to `out`, which has room
// for end − begin, and returns their number. `begin` is a multiple of 32.
size_t CollectAtLeast(absl::Span<const float> logits, size_t begin, size_t end, TokenSet set,
                      float bound, int32_t* out);

// Takes the tokens with a logit < bound out of a set, and returns how many are left.
int32_t KeepAtLeast(absl::Span<const float> logits, float bound, absl::Span<uint32_t> set);

// How many logits of the set are ≥ bound.
size_t CountAtLeast(absl::Span<const float> logits, TokenSet set, float bound);

// How many tokens a set of so many bits, a multiple of 64, has.
size_t CountTokens(TokenSet set);

// Writes the tokens of such a set, ascending, to `out`, which has room for four more.
void ListTokens(TokenSet set, int32_t* out);

struct CountsAtLeast {
  int32_t low;
  int32_t high;
};

// How many logits of the set are ≥ low, and how many ≥ high.
CountsAtLeast CountAtLeastBoth(absl::Span<const float> logits, TokenSet set, float low, float high);

// The largest |logit| of the set that is finite; 0 if none is.
float LargestMagnitude(absl::Span<const float> logits, TokenSet set);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_KERNELS_SCAN_H_
