#include "logitchain/core/kernels/moments.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/types/span.h"
#include "logitchain/core/kernels/scan.h"

// Highway compiles this file once for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/moments.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "logitchain/core/kernels/token_set-inl.h"

HWY_BEFORE_NAMESPACE();
namespace logitchain {
namespace HWY_NAMESPACE {
namespace {

class Sums {
 public:
  explicit Sums(float center)
      : center_(hn::Set(HalfFloatTag(), center)), wide_center_(hn::Set(DoubleTag(), center)) {}

  HWY_INLINE void Add(HalfFloatVec logits, hn::Mask<HalfFloatTag> in_set) {
    constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
    const auto is_live = hn::Gt(logits, hn::Set(HalfFloatTag(), kMinusInfinity));
    const HalfFloatVec counted = hn::IfThenElse(hn::And(in_set, is_live), logits, center_);
    const DoubleVec distance = hn::Sub(hn::PromoteTo(DoubleTag(), counted), wide_center_);
    sum_ = hn::Add(sum_, distance);
    squares_ = hn::MulAdd(distance, distance, squares_);
  }

  LogitMoments Moments() const { return {Total(sum_), Total(squares_)}; }

  void Add(const Sums& other) {
    sum_ = hn::Add(sum_, other.sum_);
    squares_ = hn::Add(squares_, other.squares_);
  }

 private:
  HalfFloatVec center_;
  DoubleVec wide_center_;
  DoubleVec sum_ = hn::Zero(DoubleTag());
  DoubleVec squares_ = hn::Zero(DoubleTag());
};

template <bool kHasSet>
HWY_INLINE hn::Mask<HalfFloatTag> InSet(HalfFloatTag d, const uint32_t* set, size_t id) {
  if constexpr (!kHasSet) return hn::FirstN(d, hn::Lanes(d));
  return MaskOfBits(d, BitsFrom(set, id, hn::Lanes(d)));
}

template <bool kHasSet>
LogitMoments MomentsOf(const float* logits, size_t size, const uint32_t* set, float center) {
  const HalfFloatTag d;
  const size_t lanes = hn::Lanes(d);
  // Two, so that no addition waits for the one before it.
  Sums even(center);
  Sums odd(center);
  size_t id = 0;
  for (; id + 2 * lanes <= size; id += 2 * lanes) {
    even.Add(hn::LoadU(d, logits + id), InSet<kHasSet>(d, set, id));
    odd.Add(hn::LoadU(d, logits + id + lanes), InSet<kHasSet>(d, set, id + lanes));
  }
  for (; id < size; id += lanes) {
    HWY_ALIGN float rest[hn::MaxLanes(d)];
    std::fill(rest, rest + lanes, center);
    std::copy(logits + id, logits + std::min(id + lanes, size), rest);
    even.Add(hn::Load(d, rest), InSet<kHasSet>(d, set, id));
  }
  even.Add(odd);
  return even.Moments();
}

void Moments(const float* logits, size_t size, const uint32_t* set, float center,
             LogitMoments* moments) {
  *moments = set == nullptr ? MomentsOf<false>(logits, size, set, center)
                            : MomentsOf<true>(logits, size, set, center);
}

// The float32 sums of one block.
struct QuickSums {
  FloatVec sum;
  FloatVec squares;
};

HWY_INLINE void AddQuickly(FloatVec logits, FloatVec center, QuickSums& sums) {
  const FloatVec distance = hn::Sub(logits, center);
  sums.sum = hn::Add(sums.sum, distance);
  sums.squares = hn::MulAdd(distance, distance, sums.squares);
}

// A whole block whose tokens are all in the set. Two sums, so that no addition waits for the one
// before it. With −∞ among the logits, the squares are infinite.
HWY_INLINE QuickSums AllOfBlock(FloatTag d, const float* logits, FloatVec center) {
  const size_t lanes = hn::Lanes(d);
  QuickSums even = {hn::Zero(d), hn::Zero(d)};
  QuickSums odd = even;
  for (size_t i = 0; i < kBlockSize; i += 2 * lanes) {
    AddQuickly(hn::LoadU(d, logits + i), center, even);
    AddQuickly(hn::LoadU(d, logits + i + lanes), center, odd);
  }
  return {hn::Add(even.sum, odd.sum), hn::Add(even.squares, odd.squares)};
}

// Up to a block, of any logits.
QuickSums SomeOfBlock(FloatTag d, const float* logits, size_t begin, size_t end,
                      const uint32_t* set, float center) {
  const FloatVec centers = hn::Set(d, center);
  const FloatVec minus_infinity = hn::Set(d, -std::numeric_limits<float>::infinity());
  QuickSums sums = {hn::Zero(d), hn::Zero(d)};
  for (size_t id = begin; id < end; id += hn::Lanes(d)) {
    HWY_ALIGN float some[hn::MaxLanes(d)];
    std::fill(some, some + hn::Lanes(d), center);
    std::copy(logits + id, logits + std::min(id + hn::Lanes(d), end), some);
    const FloatVec loaded = hn::Load(d, some);
    FloatMask counts = hn::Ne(loaded, minus_infinity);
    if (set != nullptr) counts = hn::And(counts, MaskOfBits(d, BitsFrom(set, id, hn::Lanes(d))));
    AddQuickly(hn::IfThenElse(counts, loaded, centers), centers, sums);
  }
  return sums;
}

bool HasAllOfBlock(const uint32_t* set, size_t begin) {
  if (set == nullptr) return true;
  uint32_t all = ~uint32_t{0};
  for (size_t word = begin / 32; word < (begin + kBlockSize) / 32; ++word) all &= set[word];
  return all == ~uint32_t{0};
}

// A lane of a block is a sum of at most 256 terms (where a vector has one lane), each of which is
// rounded twice: off by less than 260·2^-24, to which float64 adds next to nothing.
void QuickMoments(const float* logits, size_t size, const uint32_t* set, float center,
                  LogitMoments* moments) {
  const FloatTag d;
  const FloatVec centers = hn::Set(d, center);
  DoubleVec sum = hn::Zero(DoubleTag());
  DoubleVec squares = sum;
  for (size_t begin = 0; begin < size; begin += kBlockSize) {
    const size_t end = std::min(begin + kBlockSize, size);
    const bool has_all = end == begin + kBlockSize && HasAllOfBlock(set, begin);
    QuickSums block = has_all ? AllOfBlock(d, logits + begin, centers) : QuickSums{};
    if (!has_all || !hn::AllTrue(d, hn::IsFinite(block.squares))) {
      block = SomeOfBlock(d, logits, begin, end, set, center);
    }
    sum = hn::Add(sum, Widened(d, block.sum));
    squares = hn::Add(squares, Widened(d, block.squares));
  }
  *moments = {Total(sum), Total(squares)};
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace logitchain
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logitchain {

HWY_EXPORT(Moments);
HWY_EXPORT(QuickMoments);

LogitMoments SumMoments(absl::Span<const float> logits, TokenSet set, float center) {
  LogitMoments moments;
  HWY_DYNAMIC_DISPATCH(Moments)
  (logits.data(), logits.size(), WordsOf(set), center, &moments);
  return moments;
}

LogitMoments SumMomentsQuickly(absl::Span<const float> logits, TokenSet set, float center) {
  LogitMoments moments;
  HWY_DYNAMIC_DISPATCH(QuickMoments)
  (logits.data(), logits.size(), WordsOf(set), center, &moments);
  return moments;
}

}  // namespace logitchain
#endif  // HWY_ONCE
