#include "logitchain/core/kernels/exp_mean.h"

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "logitchain/core/kernels/exp_moments.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/kernels/scan.h"

// Highway compiles this file once for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/exp_mean.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "logitchain/core/kernels/exp_moments-inl.h"
#include "logitchain/core/kernels/exp_terms-inl.h"
#include "logitchain/core/kernels/token_set-inl.h"

HWY_BEFORE_NAMESPACE();
namespace logitchain {
namespace HWY_NAMESPACE {
namespace {

template <bool kHasSet, bool kHasSecond, class D, class Scale>
HWY_INLINE void AddBlock(D d, Scale& scale, const Block& block, ExpMoments& moments) {
  MomentSums<D, kHasSecond> sums;
  const size_t lanes = hn::Lanes(d);
  for (size_t i = 0; i < kBlockSize; i += 8 * lanes) {
    Four<hn::Vec<D>> t;
    Four<hn::Vec<D>> more_t;
    const auto terms = FourTerms<kHasSet>(d, scale, block, i, t);
    const auto more_terms = FourTerms<kHasSet>(d, scale, block, i + 4 * lanes, more_t);
    sums.Add(terms, t, more_terms, more_t);
  }
  sums.AddTo(moments);
}

template <bool kHasSecond, class D, class Scale>
HWY_INLINE void AddMoments(D d, Scale& scale, const Block& block, ExpMoments& moments) {
  block.set() == nullptr ? AddBlock<false, kHasSecond>(d, scale, block, moments)
                         : AddBlock<true, kHasSecond>(d, scale, block, moments);
}

// False, with moments that mean nothing, if a logit is out of the range of kNarrow.
template <class D, Way kWay>
bool AllMoments(const ExpScale& given, const float* logits, size_t size, const uint32_t* set,
                ExpMoments* moments) {
  Scale<D, kWay> scale(given);
  *moments = {};
  for (size_t begin = 0; begin < size; begin += kBlockSize) {
    AddMoments<true>(D(), scale, Block(logits, size, set, begin), *moments);
  }
  moments->factor = scale.factor();
  moments->shift = scale.shift();
  return scale.is_good();
}

void QuickMoments(const ExpScale& given, const float* logits, size_t size, const uint32_t* set,
                  const float* block_max, ExpMoments* moments) {
  const FloatTag d;
  Scale<FloatTag, Way::kFull> full(given);
  Scale<FloatTag, Way::kRough> rough(given);
  const float small = SmallFrom(given);
  ExpMoments rough_moments = {};
  *moments = {};
  for (size_t begin = 0; begin < size; begin += kBlockSize) {
    const Block block(logits, size, set, begin);
    if (*block_max++ < small) {
      AddMoments<false>(d, rough, block, rough_moments);
    } else {
      AddMoments<true>(d, full, block, *moments);
    }
  }
  moments->sum += rough_moments.sum;
  moments->first += rough_moments.first;
  moments->second += rough_moments.second;
  moments->rough_sum = rough_moments.sum;
  moments->rough_first = rough_moments.first;
}

void Moments(const ExpScale& given, const float* logits, size_t size, const uint32_t* set,
             const float* block_max, ExpMoments* moments) {
  if (given.precision == ExpPrecision::kFine) {
    AllMoments<DoubleTag, Way::kFull>(given, logits, size, set, moments);
  } else if (!LooksNarrow(given, logits, size) ||
             !AllMoments<FloatTag, Way::kNarrow>(given, logits, size, set, moments)) {
    QuickMoments(given, logits, size, set, block_max, moments);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace logitchain
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logitchain {

HWY_EXPORT(Moments);

ExpMean MeanExponent(const ExpScale& given, absl::Span<const float> logits, TokenSet set,
                     absl::Span<const float> block_max, double largest) {
  ExpMoments moments;
  HWY_DYNAMIC_DISPATCH(Moments)
  (given, logits.data(), logits.size(), WordsOf(set), block_max.data(), &moments);
  return MeanOf(moments, given.precision, largest, logits.size());
}

}  // namespace logitchain
#endif  // HWY_ONCE
