#include "logitchain/core/kernels/exp_mean.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/kernels/scan.h"

// Highway compiles this file once for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/exp_mean.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "logitchain/core/kernels/exp_terms-inl.h"
#include "logitchain/core/kernels/token_set-inl.h"

#ifndef LOGITCHAIN_CORE_KERNELS_EXP_MEAN_CC_ONCE_
#define LOGITCHAIN_CORE_KERNELS_EXP_MEAN_CC_ONCE_
namespace logitchain {
namespace {

// Sums of 2^t times powers of t, where t is the exponent of a term, and `shift` more than that.
struct ExpMoments {
  double sum;
  double first;
  double second;
  double rough_sum;  // Where all terms are so small that they were computed only roughly.
  double rough_first;
  double factor = 1;  // What brings the sum to terms,
  double shift = 0;   // and to exponents, in nats.
};

}  // namespace
}  // namespace logitchain
#endif  // LOGITCHAIN_CORE_KERNELS_EXP_MEAN_CC_ONCE_

HWY_BEFORE_NAMESPACE();
namespace logitchain {
namespace HWY_NAMESPACE {
namespace {

// Sums of terms times powers of their exponents.
template <bool kHasSet, class D, class Scale>
HWY_INLINE ExpMoments MomentsOfBlock(D d, Scale& scale, const Block& block) {
  DoubleVec sum = hn::Zero(DoubleTag());
  DoubleVec first = sum;
  DoubleVec second = sum;
  const size_t lanes = hn::Lanes(d);
  for (size_t i = 0; i < kBlockSize; i += 2 * lanes) {
    hn::Vec<D> t;
    hn::Vec<D> u;
    const auto a = block.Terms<kHasSet>(d, scale, i, t);
    const auto b = block.Terms<kHasSet>(d, scale, i + lanes, u);
    const auto at = hn::Mul(a, t);
    const auto bu = hn::Mul(b, u);
    sum = hn::Add(sum, Widened(d, hn::Add(a, b)));
    first = hn::Add(first, Widened(d, hn::Add(at, bu)));
    second = hn::Add(second, Widened(d, hn::MulAdd(at, t, hn::Mul(bu, u))));
  }
  return {Total(sum), Total(first), Total(second)};
}

template <class D, class Scale>
HWY_INLINE void AddMoments(D d, Scale& scale, const Block& block, ExpMoments& moments) {
  const ExpMoments more = block.set() == nullptr ? MomentsOfBlock<false>(d, scale, block)
                                                 : MomentsOfBlock<true>(d, scale, block);
  moments.sum += more.sum;
  moments.first += more.first;
  moments.second += more.second;
}

// False, with moments that mean nothing, if a logit is out of the range of kNarrow.
template <class D, Way kWay>
bool AllMoments(const ExpScale& given, const float* logits, size_t size, const uint32_t* set,
                ExpMoments* moments) {
  Scale<D, kWay> scale(given);
  *moments = {};
  for (size_t begin = 0; begin < size; begin += kBlockSize) {
    AddMoments(D(), scale, Block(logits, size, set, begin), *moments);
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
      AddMoments(d, rough, block, rough_moments);
    } else {
      AddMoments(d, full, block, *moments);
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

namespace {

constexpr double kNatsPerBit = 0.6931471805599453;

// Everything in nats; `size` is √(mean t²), σ the standard deviation. As for ExpSumError, a term is
// off by the part a + b·|t|, which moves the mean by a·σ + b·size·σ at most (Cauchy-Schwarz), and
// what t itself is off by moves it as far on average. Products of both and sums of four in float32
// round four times more. A rough term moves the mean by its part of |t − mean|. The last summand is
// for terms that are raised to the smallest normal number.
ExpMean MeanOf(const ExpMoments& moments, ExpPrecision precision, double largest, size_t count) {
  const double mean = kNatsPerBit * moments.first / moments.sum;
  const double square = kNatsPerBit * kNatsPerBit * moments.second / moments.sum;
  const double size = std::sqrt(square);
  const bool is_fine = precision == ExpPrecision::kFine;
  const double unit = is_fine ? 0x1p-53 : 0x1p-24;
  const double of_max = 2 * unit * (largest + moments.shift + 1);
  const double sigma = std::sqrt(std::max(0.0, square - mean * mean) + 1e-6 * square) + of_max;
  const double of_terms = (is_fine ? 0x1p-39 : 6.5 * unit) + of_max;
  const double of_exponents = of_max + 3 * unit * size;
  const double of_sums = 5 * unit * size + 0x1p-51 * static_cast<double>(count) * size;
  const double of_rough = kRoughError / moments.sum *
                          (kNatsPerBit * std::abs(moments.rough_first) - mean * moments.rough_sum);
  const double error = (of_terms + 2.1 * unit * size) * sigma + of_exponents + of_sums + of_rough +
                       0x1p-90 / moments.sum;
  return {moments.factor * moments.sum, mean - moments.shift, 1.05 * error,
          moments.factor * moments.rough_sum};
}

}  // namespace

ExpMean MeanExponent(const ExpScale& given, absl::Span<const float> logits, TokenSet set,
                     absl::Span<const float> block_max, double largest) {
  ExpMoments moments;
  HWY_DYNAMIC_DISPATCH(Moments)
  (given, logits.data(), logits.size(), WordsOf(set), block_max.data(), &moments);
  return MeanOf(moments, given.precision, largest, logits.size());
}

}  // namespace logitchain
#endif  // HWY_ONCE
