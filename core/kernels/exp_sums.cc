#include "logitchain/core/kernels/exp_sums.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/kernels/scan.h"

// Highway compiles this file once for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/exp_sums.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "logitchain/core/kernels/exp_terms-inl.h"
#include "logitchain/core/kernels/token_set-inl.h"

HWY_BEFORE_NAMESPACE();
namespace logitchain {
namespace HWY_NAMESPACE {
namespace {

template <bool kHasSet, class D, class Scale>
HWY_INLINE double SumBlock(D d, Scale& scale, const Block& block) {
  DoubleVec sum = hn::Zero(DoubleTag());
  const size_t lanes = hn::Lanes(d);
  for (size_t i = 0; i < kBlockSize; i += 4 * lanes) {
    Four<hn::Vec<D>> t;
    sum = hn::Add(sum, Widened(d, Sum(FourTerms<kHasSet>(d, scale, block, i, t))));
  }
  return scale.factor() * Total(sum);
}

template <class D, class Scale>
HWY_INLINE double SumBlock(D d, Scale& scale, const Block& block) {
  return block.set() == nullptr ? SumBlock<false>(d, scale, block)
                                : SumBlock<true>(d, scale, block);
}

// False, with sums that mean nothing, if a logit is out of the range of kNarrow.
template <class D, Way kWay>
bool SumBlocks(const ExpScale& given, const float* logits, size_t size, const uint32_t* set,
               double* sums) {
  Scale<D, kWay> scale(given);
  for (size_t begin = 0; begin < size; begin += kBlockSize) {
    *sums++ = SumBlock(D(), scale, Block(logits, size, set, begin));
  }
  return scale.is_good();
}

// Returns the sum over the blocks that are computed roughly: those without a large term.
double SumQuickly(const ExpScale& given, const float* logits, size_t size, const uint32_t* set,
                  const float* block_max, double* sums) {
  const FloatTag d;
  Scale<FloatTag, Way::kFull> full(given);
  Scale<FloatTag, Way::kRough> rough(given);
  const float small = SmallFrom(given);
  double rough_sum = 0;
  for (size_t begin = 0; begin < size; begin += kBlockSize, ++sums) {
    const Block block(logits, size, set, begin);
    const bool is_small = *block_max++ < small;
    *sums = is_small ? SumBlock(d, rough, block) : SumBlock(d, full, block);
    if (is_small) rough_sum += *sums;
  }
  return rough_sum;
}

double Sums(const ExpScale& given, const float* logits, size_t size, const uint32_t* set,
            const float* block_max, double* sums) {
  if (given.precision == ExpPrecision::kFine) {
    SumBlocks<DoubleTag, Way::kFull>(given, logits, size, set, sums);
    return 0;
  }
  if (LooksNarrow(given, logits, size) &&
      SumBlocks<FloatTag, Way::kNarrow>(given, logits, size, set, sums)) {
    return 0;
  }
  return SumQuickly(given, logits, size, set, block_max, sums);
}

void TermsOfArray(const ExpScale& given, const float* logits, size_t size, float* out) {
  const FloatTag d;
  Scale<FloatTag, Way::kFull> scale(given);
  size_t i = 0;
  for (; i + hn::Lanes(d) <= size; i += hn::Lanes(d)) {
    hn::StoreU(scale.Term(hn::LoadU(d, logits + i)), d, out + i);
  }
  if (i == size) return;
  HWY_ALIGN float rest[hn::MaxLanes(d)] = {};
  std::copy(logits + i, logits + size, rest);
  hn::Store(scale.Term(hn::Load(d, rest)), d, rest);
  std::copy(rest, rest + (size - i), out + i);
}

WeightSums SumWeights(const float* keys, const float* weights, size_t size, float bound) {
  const FloatTag d;
  const size_t lanes = hn::Lanes(d);
  const FloatVec bounds = hn::Set(d, bound);
  const FloatVec one = hn::Set(d, 1.0f);
  DoubleVec sum = hn::Zero(DoubleTag());
  FloatVec squares = hn::Zero(d);
  FloatVec count = hn::Zero(d);
  size_t i = 0;
  for (; i + 2 * lanes <= size; i += 2 * lanes) {
    const FloatMask even = hn::Ge(hn::LoadU(d, keys + i), bounds);
    const FloatMask odd = hn::Ge(hn::LoadU(d, keys + i + lanes), bounds);
    const FloatVec even_weights = hn::IfThenElseZero(even, hn::LoadU(d, weights + i));
    const FloatVec odd_weights = hn::IfThenElseZero(odd, hn::LoadU(d, weights + i + lanes));
    sum = hn::Add(sum, Widened(d, hn::Add(even_weights, odd_weights)));
    squares = hn::MulAdd(even_weights, even_weights, squares);
    squares = hn::MulAdd(odd_weights, odd_weights, squares);
    count = AddIf<FloatTag>(odd, AddIf<FloatTag>(even, count, one), one);
  }
  WeightSums sums = {.sum = Total(sum),
                     .sum_of_squares = hn::GetLane(hn::SumOfLanes(d, squares)),
                     .count = static_cast<int32_t>(hn::GetLane(hn::SumOfLanes(d, count)))};
  for (; i < size; ++i) {
    if (!(keys[i] >= bound)) continue;
    sums.sum += weights[i];
    sums.sum_of_squares += weights[i] * weights[i];
    ++sums.count;
  }
  return sums;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace logitchain
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logitchain {

HWY_EXPORT(Sums);
HWY_EXPORT(TermsOfArray);
HWY_EXPORT(SumWeights);

double SumExpTerms(const ExpScale& given, absl::Span<const float> logits, TokenSet set,
                   absl::Span<const float> block_max, absl::Span<double> sums) {
  return HWY_DYNAMIC_DISPATCH(Sums)(given, logits.data(), logits.size(), WordsOf(set),
                                    block_max.data(), sums.data());
}

void QuickExpTerms(const ExpScale& given, absl::Span<const float> logits, absl::Span<float> out) {
  HWY_DYNAMIC_DISPATCH(TermsOfArray)(given, logits.data(), logits.size(), out.data());
}

WeightSums SumWeightsAtLeast(absl::Span<const float> keys, absl::Span<const float> weights,
                             float bound) {
  return HWY_DYNAMIC_DISPATCH(SumWeights)(keys.data(), weights.data(), keys.size(), bound);
}

}  // namespace logitchain
#endif  // HWY_ONCE
