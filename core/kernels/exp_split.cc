#include "logitchain/core/kernels/exp_split.h"

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "logitchain/core/kernels/exp_moments.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/kernels/scan.h"

// Highway compiles this file once for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/exp_split.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "logitchain/core/kernels/exp_moments-inl.h"
#include "logitchain/core/kernels/exp_terms-inl.h"
#include "logitchain/core/kernels/token_set-inl.h"

#ifndef LOGITCHAIN_CORE_KERNELS_EXP_SPLIT_CC_ONCE_
#define LOGITCHAIN_CORE_KERNELS_EXP_SPLIT_CC_ONCE_
namespace logitchain {
namespace {

// What Split splits, and where the results go.
struct Splitting {
  ExpScale scale;
  const float* logits;
  size_t size;
  const uint32_t* set;
  LogitKey key;
  KeyRange range;
  double* high_sums;
  uint32_t* high;
  uint32_t* between;
};

struct Walked {
  ExpMoments moments;  // Only the sum, where keys have no center.
  int32_t count_high;
};

}  // namespace
}  // namespace logitchain
#endif  // LOGITCHAIN_CORE_KERNELS_EXP_SPLIT_CC_ONCE_

HWY_BEFORE_NAMESPACE();
namespace logitchain {
namespace HWY_NAMESPACE {
namespace {

// Bits of some logits, the lowest of the first: which have keys ≥ low, and which ≥ high.
struct KeyBits {
  uint64_t low;
  uint64_t high;
};

// Writes the bits that begin at bit `i`, a multiple of their number, which is a power of two up to
// 64.
HWY_INLINE void StoreBits(uint64_t bits, size_t n, size_t i, uint32_t* words) {
  const auto low = static_cast<uint32_t>(bits << (i % 32));
  words[i / 32] = i % 32 == 0 ? low : words[i / 32] | low;
  if (n == 64) words[i / 32 + 1] = static_cast<uint32_t>(bits >> 32);
}

// Splits one block.
template <bool kIsCentered, class D>
class Splitter {
 public:
  using V = hn::Vec<D>;

  HWY_INLINE Splitter(const Block& block, const Splitting& given, uint32_t* high, uint32_t* between)
      : block_(block),
        center_(given.key.center.value_or(0)),
        lows_(hn::Set(D(), kIsCentered ? -given.range.low : given.range.low)),
        highs_(hn::Set(D(), kIsCentered ? -given.range.high : given.range.high)),
        high_words_(high),
        between_words_(between),
        high_sum_(hn::Zero(DoubleTag())) {}

  // Splits four vectors from `i` on; the terms outside the set are 0.
  HWY_INLINE void Split(size_t i, const Four<V>& terms) {
    const D d;
    const size_t lanes = hn::Lanes(d);
    KeyBits bits = {0, 0};
    const V a = HighTerms(i, terms.a, 0, bits);
    const V b = HighTerms(i, terms.b, lanes, bits);
    const V c = HighTerms(i, terms.c, 2 * lanes, bits);
    const V e = HighTerms(i, terms.e, 3 * lanes, bits);
    high_sum_ = hn::Add(high_sum_, Widened(d, Sum(Four<V>{a, b, c, e})));
    StoreBits(bits.high, 4 * lanes, i, high_words_);
    StoreBits(bits.low & ~bits.high, 4 * lanes, i, between_words_);
  }

  HWY_INLINE double high_sum() const { return Total(high_sum_); }

  // Takes the tokens outside the set out of the bits, and returns how many high ones are left.
  HWY_INLINE int32_t FinishBits() {
    size_t count = 0;
    for (size_t w = 0; w < kWordsPerBlock; ++w) {
      if (block_.set() != nullptr) {
        high_words_[w] &= block_.set()[w];
        between_words_[w] &= block_.set()[w];
      }
      count += hwy::PopCount(high_words_[w]);
    }
    return static_cast<int32_t>(count);
  }

 private:
  // The terms with high keys; notes what all keys are.
  HWY_INLINE V HighTerms(size_t i, V terms, size_t offset, KeyBits& bits) {
    const D d;
    const auto is_high = HasKeyOf(i + offset, highs_);
    bits.low |= static_cast<uint64_t>(BitsOfMask(d, HasKeyOf(i + offset, lows_))) << offset;
    bits.high |= static_cast<uint64_t>(BitsOfMask(d, is_high)) << offset;
    return hn::IfThenElseZero(is_high, terms);
  }

  // Whether keys are at least these, or distances from the center at most.
  HWY_INLINE hn::Mask<D> HasKeyOf(size_t i, V bounds) const {
    if constexpr (!kIsCentered) return hn::Ge(block_.Logits(D(), i), bounds);
    return hn::Le(block_.Distances(D(), i, center_), bounds);
  }

  const Block& block_;
  float center_;
  V lows_;  // Of keys, or the distances that these stand for.
  V highs_;
  uint32_t* high_words_;
  uint32_t* between_words_;
  DoubleVec high_sum_;
};

template <bool kHasSet, bool kIsCentered, class D, class Scale>
HWY_INLINE double SplitBlock(D d, Scale& scale, const Block& block,
                             Splitter<kIsCentered, D>& splitter, Walked& walked) {
  const size_t lanes = hn::Lanes(d);
  MomentSums<D, true> moments;
  DoubleVec sum = hn::Zero(DoubleTag());
  for (size_t i = 0; i < kBlockSize; i += 8 * lanes) {
    Four<hn::Vec<D>> t;
    Four<hn::Vec<D>> more_t;
    const auto terms = FourTerms<kHasSet>(d, scale, block, i, t);
    splitter.Split(i, terms);
    const auto more_terms = FourTerms<kHasSet>(d, scale, block, i + 4 * lanes, more_t);
    splitter.Split(i + 4 * lanes, more_terms);
    if constexpr (kIsCentered) {
      moments.Add(terms, t, more_terms, more_t);
    } else {
      sum = hn::Add(sum, hn::Add(Widened(d, Sum(terms)), Widened(d, Sum(more_terms))));
    }
  }
  if constexpr (kIsCentered) {
    moments.AddTo(walked.moments);
  } else {
    walked.moments.sum += Total(sum);
  }
  walked.count_high += splitter.FinishBits();
  return scale.factor() * splitter.high_sum();
}

// As AllMoments in exp_mean.cc.
template <class D, Way kWay, bool kIsCentered>
bool SplitBlocks(const Splitting& given, Walked* walked) {
  Scale<D, kWay> scale(given.scale);
  *walked = {};
  for (size_t begin = 0; begin < given.size; begin += kBlockSize) {
    const Block block(given.logits, given.size, given.set, begin);
    Splitter<kIsCentered, D> splitter(block, given, given.high + begin / 32,
                                      given.between + begin / 32);
    given.high_sums[begin / kBlockSize] =
        block.set() == nullptr ? SplitBlock<false>(D(), scale, block, splitter, *walked)
                               : SplitBlock<true>(D(), scale, block, splitter, *walked);
  }
  walked->moments.factor = scale.factor();
  walked->moments.shift = scale.shift();
  return scale.is_good();
}

template <class D, Way kWay>
bool SplitBlocks(const Splitting& given, Walked* walked) {
  return given.key.center ? SplitBlocks<D, kWay, true>(given, walked)
                          : SplitBlocks<D, kWay, false>(given, walked);
}

void Split(const Splitting& given, Walked* walked) {
  if (given.scale.precision == ExpPrecision::kFine) {
    SplitBlocks<DoubleTag, Way::kFull>(given, walked);
  } else if (!LooksNarrow(given.scale, given.logits, given.size) ||
             !SplitBlocks<FloatTag, Way::kNarrow>(given, walked)) {
    SplitBlocks<FloatTag, Way::kFull>(given, walked);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace logitchain
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logitchain {

HWY_EXPORT(Split);

ExpSplit SplitExpTerms(const ExpScale& scale, absl::Span<const float> logits, TokenSet set,
                       LogitKey key, KeyRange range, double largest, const SplitParts& parts) {
  const Splitting given = {.scale = scale,
                           .logits = logits.data(),
                           .size = logits.size(),
                           .set = WordsOf(set),
                           .key = key,
                           .range = range,
                           .high_sums = parts.high_sums.data(),
                           .high = parts.high.data(),
                           .between = parts.between.data()};
  Walked walked;
  HWY_DYNAMIC_DISPATCH(Split)(given, &walked);
  ExpSplit split = {.total = walked.moments.factor * walked.moments.sum,
                    .count_high = walked.count_high};
  if (key.center) split.mean = MeanOf(walked.moments, scale.precision, largest, logits.size());
  return split;
}

}  // namespace logitchain
#endif  // HWY_ONCE
