#include "logitchain/core/kernels/scan.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/types/span.h"

// Highway compiles this file once for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/scan.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "logitchain/core/kernels/token_set-inl.h"

HWY_BEFORE_NAMESPACE();
namespace logitchain {
namespace HWY_NAMESPACE {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// Loads up to a vector of logits; the lanes past the end are −∞.
HWY_INLINE FloatVec LoadRest(FloatTag d, const float* logits, size_t n) {
  HWY_ALIGN float rest[hn::MaxLanes(d)];
  std::fill(rest, rest + hn::Lanes(d), kMinusInfinity);
  std::copy(logits, logits + n, rest);
  return hn::Load(d, rest);
}

HWY_INLINE FloatVec LoadUpTo(FloatTag d, const float* logits, size_t id, size_t end) {
  return id + hn::Lanes(d) <= end ? hn::LoadU(d, logits + id) : LoadRest(d, logits + id, end - id);
}

// All lanes, or those whose token is in the set.
HWY_INLINE FloatMask InSet(FloatTag d, const uint32_t* set, size_t id) {
  return set == nullptr ? hn::FirstN(d, hn::Lanes(d))
                        : MaskOfBits(d, BitsFrom(set, id, hn::Lanes(d)));
}

struct Block {
  float max;
  bool is_finite;  // No logit, in the set or not, is NaN or infinite.
};

// A vector of logits, −∞ where the token is not in the set.
HWY_INLINE FloatVec Masked(FloatTag d, FloatVec logits, const uint32_t* set, size_t id) {
  if (set == nullptr) return logits;
  return hn::IfThenElse(MaskOfBits(d, BitsFrom(set, id, hn::Lanes(d))), logits,
                        hn::Set(d, kMinusInfinity));
}

// A whole block. Times zero, a logit is 0 if it is finite and NaN if it is not, and a sum keeps the
// NaN: one operation tells of NaN and of both infinities. Two of everything, so that no operation
// waits for the one before it.
HWY_INLINE Block ReadBlock(FloatTag d, const float* logits, size_t begin, const uint32_t* set) {
  const size_t lanes = hn::Lanes(d);
  const FloatVec zero = hn::Zero(d);
  FloatVec max0 = hn::Set(d, kMinusInfinity);
  FloatVec max1 = max0;
  FloatVec zeros0 = zero;
  FloatVec zeros1 = zero;
  for (size_t id = begin; id < begin + kBlockSize; id += 2 * lanes) {
    const FloatVec loaded0 = hn::LoadU(d, logits + id);
    const FloatVec loaded1 = hn::LoadU(d, logits + id + lanes);
    zeros0 = hn::MulAdd(loaded0, zero, zeros0);
    zeros1 = hn::MulAdd(loaded1, zero, zeros1);
    max0 = hn::Max(max0, Masked(d, loaded0, set, id));
    max1 = hn::Max(max1, Masked(d, loaded1, set, id + lanes));
  }
  const FloatVec zeros = hn::Add(zeros0, zeros1);
  return {hn::GetLane(hn::MaxOfLanes(d, hn::Max(max0, max1))), hn::AllTrue(d, hn::Eq(zeros, zero))};
}

struct Details {
  bool has_bad;
  int32_t live;
};

// What there is to know of a block with an infinity, NaN, or less than whole vectors.
Details InspectBlock(FloatTag d, const float* logits, size_t begin, size_t end,
                     const uint32_t* set) {
  const FloatVec infinity = hn::Set(d, -kMinusInfinity);
  Details details = {false, 0};
  for (size_t id = begin; id < end; id += hn::Lanes(d)) {
    const FloatVec loaded = LoadUpTo(d, logits, id, end);
    // Only NaN and +∞ are not below +∞.
    details.has_bad |= !hn::AllTrue(d, hn::Lt(loaded, infinity));
    const FloatMask is_live = hn::Gt(loaded, hn::Neg(infinity));
    details.live += static_cast<int32_t>(hn::CountTrue(d, hn::And(is_live, InSet(d, set, id))));
  }
  return details;
}

float MaxOfRange(const float* logits, size_t begin, size_t end, const uint32_t* set) {
  const FloatTag d;
  const FloatVec minus_infinity = hn::Set(d, kMinusInfinity);
  FloatVec max = minus_infinity;
  for (size_t id = begin; id < end; id += hn::Lanes(d)) {
    const FloatVec loaded = LoadUpTo(d, logits, id, end);
    max = hn::Max(max, hn::IfThenElse(InSet(d, set, id), loaded, minus_infinity));
  }
  return hn::GetLane(hn::MaxOfLanes(d, max));
}

int32_t TokensIn(const uint32_t* set, size_t begin, size_t end) {
  if (set == nullptr) return static_cast<int32_t>(end - begin);
  size_t tokens = 0;
  for (size_t word = begin / 32; word < end / 32; ++word) tokens += hwy::PopCount(set[word]);
  return static_cast<int32_t>(tokens);
}

ScanResult ScanAll(const float* logits, size_t size, const uint32_t* set, float* block_max) {
  const FloatTag d;
  ScanResult result = {false, 0};
  for (size_t block = 0; block * kBlockSize < size; ++block) {
    const size_t begin = block * kBlockSize;
    const size_t end = begin + kBlockSize;
    const Block read = end <= size ? ReadBlock(d, logits, begin, set) : Block{0, false};
    if (read.is_finite) {
      block_max[block] = read.max;
      result.live += TokensIn(set, begin, end);
      continue;
    }
    block_max[block] = MaxOfRange(logits, begin, std::min(end, size), set);
    const Details details = InspectBlock(d, logits, begin, std::min(end, size), set);
    result.has_bad |= details.has_bad;
    result.live += details.live;
  }
  return result;
}

size_t CollectFromRange(const float* logits, size_t begin, size_t end, const uint32_t* set,
                        float bound, int32_t* out) {
  const FloatTag d;
  const size_t lanes = hn::Lanes(d);
  const FloatVec bounds = hn::Set(d, bound);
  size_t n = 0;
  for (size_t id = begin; id < end; id += lanes) {
    const FloatVec loaded = LoadUpTo(d, logits, id, end);
    uint32_t bits = BitsOfMask(d, hn::Ge(loaded, bounds));
    if (set != nullptr) bits &= BitsFrom(set, id, lanes);
    for (; bits != 0; bits &= bits - 1) {
      out[n++] = static_cast<int32_t>(id + hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
    }
  }
  return n;
}

int32_t KeepInSet(const float* logits, size_t size, float bound, uint32_t* set) {
  const FloatTag d;
  const FloatVec bounds = hn::Set(d, bound);
  size_t left = 0;
  for (size_t begin = 0; begin < size; begin += 32) {
    uint32_t word = 0;
    for (size_t id = begin; id < std::min(begin + 32, size); id += hn::Lanes(d)) {
      word |= BitsOfMask(d, hn::Ge(LoadUpTo(d, logits, id, size), bounds)) << (id % 32);
    }
    set[begin / 32] &= word;
    left += hwy::PopCount(set[begin / 32]);
  }
  return static_cast<int32_t>(left);
}

// Counts in float lanes, which hold 2^24 exactly.
size_t CountInRange(const float* logits, size_t size, const uint32_t* set, float bound) {
  const FloatTag d;
  const FloatVec bounds = hn::Set(d, bound);
  const FloatVec one = hn::Set(d, 1.0f);
  FloatVec count = hn::Zero(d);
  for (size_t id = 0; id < size; id += hn::Lanes(d)) {
    const FloatVec here = Masked(d, LoadUpTo(d, logits, id, size), set, id);
    count = AddIf<FloatTag>(hn::Ge(here, bounds), count, one);
  }
  return static_cast<size_t>(hn::GetLane(hn::SumOfLanes(d, count)));
}

size_t CountBits(const uint32_t* words, size_t size) {
  size_t count = 0;
  for (size_t w = 0; w < size; w += 2) {
    count += hwy::PopCount(words[w] | (uint64_t{words[w + 1]} << 32));
  }
  return count;
}

// Mostly there are few: four are written at a time, without asking how many there are.
void ListBits(const uint32_t* words, size_t size, int32_t* out) {
  for (size_t w = 0; w < size; w += 2) {
    uint64_t bits = words[w] | (uint64_t{words[w + 1]} << 32);
    const size_t count = hwy::PopCount(bits);
    for (size_t i = 0; i < std::max<size_t>(count, 4); ++i) {
      out[i] = static_cast<int32_t>(32 * w + std::countr_zero(bits));
      bits &= bits - 1;
    }
    out += count;
  }
}

void CountBoth(const float* logits, size_t size, const uint32_t* set, float low, float high,
               CountsAtLeast* counts) {
  const FloatTag d;
  const FloatVec lows = hn::Set(d, low);
  const FloatVec highs = hn::Set(d, high);
  const FloatVec one = hn::Set(d, 1.0f);
  FloatVec low_count = hn::Zero(d);
  FloatVec high_count = hn::Zero(d);
  for (size_t id = 0; id < size; id += hn::Lanes(d)) {
    const FloatVec logits_here = Masked(d, LoadUpTo(d, logits, id, size), set, id);
    low_count = AddIf<FloatTag>(hn::Ge(logits_here, lows), low_count, one);
    high_count = AddIf<FloatTag>(hn::Ge(logits_here, highs), high_count, one);
  }
  counts->low = static_cast<int32_t>(hn::GetLane(hn::SumOfLanes(d, low_count)));
  counts->high = static_cast<int32_t>(hn::GetLane(hn::SumOfLanes(d, high_count)));
}

float LargestMagnitudeOf(const float* logits, size_t size, const uint32_t* set) {
  const FloatTag d;
  const size_t lanes = hn::Lanes(d);
  FloatVec largest = hn::Zero(d);
  for (size_t id = 0; id < size; id += lanes) {
    const FloatVec loaded = LoadUpTo(d, logits, id, size);
    const FloatMask is_finite = hn::Ne(loaded, hn::Set(d, kMinusInfinity));
    const FloatMask counts = hn::And(is_finite, InSet(d, set, id));
    largest = hn::Max(largest, hn::IfThenElseZero(counts, hn::Abs(loaded)));
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace logitchain
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logitchain {

HWY_EXPORT(ScanAll);
HWY_EXPORT(MaxOfRange);
HWY_EXPORT(CollectFromRange);
HWY_EXPORT(CountBits);
HWY_EXPORT(CountBoth);
HWY_EXPORT(ListBits);
HWY_EXPORT(CountInRange);
HWY_EXPORT(KeepInSet);
HWY_EXPORT(LargestMagnitudeOf);

ScanResult ScanBlocks(absl::Span<const float> logits, TokenSet set, absl::Span<float> block_max) {
  return HWY_DYNAMIC_DISPATCH(ScanAll)(logits.data(), logits.size(), WordsOf(set),
                                       block_max.data());
}

float MaxInSet(absl::Span<const float> logits, size_t begin, size_t end, TokenSet set) {
  return HWY_DYNAMIC_DISPATCH(MaxOfRange)(logits.data(), begin, end, WordsOf(set));
}

size_t CollectAtLeast(absl::Span<const float> logits, size_t begin, size_t end, TokenSet set,
                      float bound, int32_t* out) {
  return HWY_DYNAMIC_DISPATCH(CollectFromRange)(logits.data(), begin, end, WordsOf(set), bound,
                                                out);
}

int32_t KeepAtLeast(absl::Span<const float> logits, float bound, absl::Span<uint32_t> set) {
  return HWY_DYNAMIC_DISPATCH(KeepInSet)(logits.data(), logits.size(), bound, set.data());
}

size_t CountAtLeast(absl::Span<const float> logits, TokenSet set, float bound) {
  return HWY_DYNAMIC_DISPATCH(CountInRange)(logits.data(), logits.size(), WordsOf(set), bound);
}

size_t CountTokens(TokenSet set) { return HWY_DYNAMIC_DISPATCH(CountBits)(set.data(), set.size()); }

void ListTokens(TokenSet set, int32_t* out) {
  HWY_DYNAMIC_DISPATCH(ListBits)(set.data(), set.size(), out);
}

CountsAtLeast CountAtLeastBoth(absl::Span<const float> logits, TokenSet set, float low,
                               float high) {
  CountsAtLeast counts;
  HWY_DYNAMIC_DISPATCH(CountBoth)
  (logits.data(), logits.size(), WordsOf(set), low, high, &counts);
  return counts;
}

float LargestMagnitude(absl::Span<const float> logits, TokenSet set) {
  return HWY_DYNAMIC_DISPATCH(LargestMagnitudeOf)(logits.data(), logits.size(), WordsOf(set));
}

}  // namespace logitchain
#endif  // HWY_ONCE
