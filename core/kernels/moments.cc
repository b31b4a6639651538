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

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace logitchain
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logitchain {

HWY_EXPORT(Moments);

LogitMoments SumMoments(absl::Span<const float> logits, TokenSet set, float center) {
  LogitMoments moments;
  HWY_DYNAMIC_DISPATCH(Moments)
  (logits.data(), logits.size(), WordsOf(set), center, &moments);
  return moments;
}

}  // namespace logitchain
#endif  // HWY_ONCE
