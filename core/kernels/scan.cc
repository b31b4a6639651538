#include "logitchain/core/kernels/scan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

// What a scan has found so far, lane by lane.
class Findings {
 public:
  explicit Findings(FloatTag d)
      : d_(d), bad_(hn::MaskFromVec(hn::Zero(d))), absent_(hn::Zero(hn::RebindToSigned<FloatTag>())) {}

  // Takes in a vector of logits; returns them with −∞ in the lanes that are not in the set.
  HWY_INLINE FloatVec Add(FloatVec logits) {
    // Only NaN and +∞ are not below +∞.
    bad_ = hn::Or(bad_, hn::Not(hn::Lt(logits, Infinity())));
    return Count(logits);
  }
  HWY_INLINE FloatVec Add(FloatVec logits, FloatMask in_set) {
    bad_ = hn::Or(bad_, hn::Not(hn::Lt(logits, Infinity())));
    return Count(hn::IfThenElse(in_set, logits, hn::Set(d_, kMinusInfinity)));
  }

  bool has_bad() const { return !hn::AllFalse(d_, bad_); }

  // Number of lanes that were −∞.
  int32_t absent() const {
    const hn::RebindToSigned<FloatTag> di;
    return -hn::GetLane(hn::SumOfLanes(di, absent_));
  }

 private:
  HWY_INLINE FloatVec Infinity() const { return hn::Set(d_, -kMinusInfinity); }

  HWY_INLINE FloatVec Count(FloatVec logits) {
    const hn::RebindToSigned<FloatTag> di;
    const FloatMask is_absent = hn::Eq(logits, hn::Set(d_, kMinusInfinity));
    // A true lane is −1.
    absent_ = hn::Add(absent_, hn::BitCast(di, hn::VecFromMask(d_, is_absent)));
    return logits;
  }

  FloatTag d_;
  FloatMask bad_;
  hn::Vec<hn::RebindToSigned<FloatTag>> absent_;
};

// Loads up to a vector of logits; the lanes past the end are −∞.
HWY_INLINE FloatVec LoadRest(FloatTag d, const float* logits, size_t n) {
  HWY_ALIGN float rest[hn::MaxLanes(d)];
  std::fill(rest, rest + hn::Lanes(d), kMinusInfinity);
  std::copy(logits, logits + n, rest);
  return hn::Load(d, rest);
}

HWY_INLINE float ScanBlock(FloatTag d, const float* logits, size_t begin, size_t end,
                           const uint32_t* set, Findings& findings, size_t& padding) {
  const size_t lanes = hn::Lanes(d);
  FloatVec max = hn::Set(d, kMinusInfinity);
  for (size_t id = begin; id < end; id += lanes) {
    const bool whole = id + lanes <= end;
    const FloatVec loaded = whole ? hn::LoadU(d, logits + id) : LoadRest(d, logits + id, end - id);
    if (!whole) padding += lanes - (end - id);
    max = hn::Max(max, set == nullptr
                           ? findings.Add(loaded)
                           : findings.Add(loaded, MaskOfBits(d, BitsFrom(set, id, lanes))));
  }
  return hn::GetLane(hn::MaxOfLanes(d, max));
}

ScanResult ScanAll(const float* logits, size_t size, const uint32_t* set, float* block_max) {
  const FloatTag d;
  Findings findings(d);
  size_t padding = 0;
  size_t block = 0;
  for (size_t begin = 0; begin < size; begin += kBlockSize) {
    const size_t end = std::min(begin + kBlockSize, size);
    block_max[block++] = ScanBlock(d, logits, begin, end, set, findings, padding);
  }
  const auto absent = static_cast<size_t>(findings.absent()) - padding;
  return {findings.has_bad(), static_cast<int32_t>(size - absent)};
}

float MaxOfRange(const float* logits, size_t begin, size_t end, const uint32_t* set) {
  const FloatTag d;
  Findings findings(d);
  size_t padding = 0;
  return ScanBlock(d, logits, begin, end, set, findings, padding);
}

size_t CollectFromRange(const float* logits, size_t begin, size_t end, const uint32_t* set,
                        float bound, int32_t* out) {
  const FloatTag d;
  const size_t lanes = hn::Lanes(d);
  const FloatVec bounds = hn::Set(d, bound);
  size_t n = 0;
  for (size_t id = begin; id < end; id += lanes) {
    const FloatVec loaded =
        id + lanes <= end ? hn::LoadU(d, logits + id) : LoadRest(d, logits + id, end - id);
    uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Ge(loaded, bounds), bytes);
    uint32_t bits;
    std::memcpy(&bits, bytes, sizeof(bits));
    if (set != nullptr) bits &= BitsFrom(set, id, lanes);
    for (; bits != 0; bits &= bits - 1) {
      out[n++] = static_cast<int32_t>(id + hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
    }
  }
  return n;
}

size_t CountInRange(const float* logits, size_t size, const uint32_t* set, float bound) {
  const FloatTag d;
  const size_t lanes = hn::Lanes(d);
  const FloatVec bounds = hn::Set(d, bound);
  size_t n = 0;
  for (size_t id = 0; id < size; id += lanes) {
    const FloatVec loaded =
        id + lanes <= size ? hn::LoadU(d, logits + id) : LoadRest(d, logits + id, size - id);
    FloatMask counts = hn::Ge(loaded, bounds);
    if (set != nullptr) counts = hn::And(counts, MaskOfBits(d, BitsFrom(set, id, lanes)));
    n += hn::CountTrue(d, counts);
  }
  return n;
}

float LargestMagnitudeOf(const float* logits, size_t size, const uint32_t* set) {
  const FloatTag d;
  const size_t lanes = hn::Lanes(d);
  FloatVec largest = hn::Zero(d);
  for (size_t id = 0; id < size; id += lanes) {
    const FloatVec loaded =
        id + lanes <= size ? hn::LoadU(d, logits + id) : LoadRest(d, logits + id, size - id);
    FloatMask counts = hn::Ne(loaded, hn::Set(d, kMinusInfinity));
    if (set != nullptr) counts = hn::And(counts, MaskOfBits(d, BitsFrom(set, id, lanes)));
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
HWY_EXPORT(CountInRange);
HWY_EXPORT(LargestMagnitudeOf);

// A span over nothing may still point somewhere.
const uint32_t* WordsOf(TokenSet set) { return set.empty() ? nullptr : set.data(); }

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

size_t CountAtLeast(absl::Span<const float> logits, TokenSet set, float bound) {
  return HWY_DYNAMIC_DISPATCH(CountInRange)(logits.data(), logits.size(), WordsOf(set), bound);
}

float LargestMagnitude(absl::Span<const float> logits, TokenSet set) {
  return HWY_DYNAMIC_DISPATCH(LargestMagnitudeOf)(logits.data(), logits.size(), WordsOf(set));
}

}  // namespace logitchain
#endif  // HWY_ONCE
