#include "logitchain/core/kernels/exp_sums.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"

// Highway compiles this file once for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/exp_sums.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "logitchain/core/kernels/token_set-inl.h"

#ifndef LOGITCHAIN_CORE_KERNELS_EXP_SUMS_CC_ONCE_
#define LOGITCHAIN_CORE_KERNELS_EXP_SUMS_CC_ONCE_
namespace logitchain {
namespace {

constexpr double kLog2E = 1.4426950408889634;

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
#endif  // LOGITCHAIN_CORE_KERNELS_EXP_SUMS_CC_ONCE_

HWY_BEFORE_NAMESPACE();
namespace logitchain {
namespace HWY_NAMESPACE {
namespace {

// Terms are computed in lanes of float, or of double.
using HalfFloatTag = hn::Half<FloatTag>;
using DoubleTag = hn::Rebind<double, HalfFloatTag>;
using DoubleVec = hn::Vec<DoubleTag>;

constexpr size_t kWordsPerBlock = kBlockSize / 32;

template <class D>
using FloatsOf = hn::Rebind<float, D>;  // As many floats as D has lanes.

HWY_INLINE FloatVec Widen(FloatTag, FloatVec floats) { return floats; }
HWY_INLINE DoubleVec Widen(DoubleTag d, hn::Vec<HalfFloatTag> floats) {
  return hn::PromoteTo(d, floats);
}

template <class D>
HWY_INLINE hn::Vec<D> LoadLogits(D d, const float* logits) {
  return Widen(d, hn::LoadU(FloatsOf<D>(), logits));
}

// LogitKey in vectors.
template <bool kIsCentered, class D>
HWY_INLINE hn::Vec<D> LoadKeys(D d, const float* logits, float center) {
  const FloatsOf<D> df;
  const auto loaded = hn::LoadU(df, logits);
  if constexpr (!kIsCentered) return Widen(d, loaded);
  return Widen(d, hn::Neg(hn::Abs(hn::Sub(loaded, hn::Set(df, center)))));
}

// The terms as doubles; those of the upper lanes are added to those of the lower.
HWY_INLINE DoubleVec Widened(FloatTag, FloatVec terms) {
  const DoubleTag d;
#if HWY_TARGET == HWY_SCALAR
  return hn::PromoteTo(d, terms);
#else
  return hn::Add(hn::PromoteTo(d, hn::LowerHalf(terms)),
                 hn::PromoteTo(d, hn::UpperHalf(HalfFloatTag(), terms)));
#endif
}
HWY_INLINE DoubleVec Widened(DoubleTag, DoubleVec terms) { return terms; }

// Blocks whose terms are all less than e to the minus this are computed roughly.
constexpr double kRoughFrom = 5;

// How terms are computed.
enum class Way {
  kFull,
  kNarrow,  // For logits so close together that exponents fit into one unit and need no reduction.
  kRough,   // Within kRoughError.
};

// (2^f − 1) / f for |f| ≤ 1/2: the polynomials for which the largest relative error of 2^f is least
// (by Remez's algorithm), 2^-18.1, 2^-28.5 and 2^-39.7.
template <Way kWay>
HWY_INLINE FloatVec Exp2Slope(FloatTag d, FloatVec f) {
  if constexpr (kWay == Way::kRough) {
    FloatVec q = hn::Set(d, 9.7829123e-3f);
    q = hn::MulAdd(q, f, hn::Set(d, 5.5976884e-2f));
    q = hn::MulAdd(q, f, hn::Set(d, 2.4020711e-1f));
    return hn::MulAdd(q, f, hn::Set(d, 6.9311360e-1f));
  }
  FloatVec q = hn::Set(d, 1.5594681e-4f);
  q = hn::MulAdd(q, f, hn::Set(d, 1.3406644e-3f));
  q = hn::MulAdd(q, f, hn::Set(d, 9.6176930e-3f));
  q = hn::MulAdd(q, f, hn::Set(d, 5.5503106e-2f));
  q = hn::MulAdd(q, f, hn::Set(d, 2.4022653e-1f));
  return hn::MulAdd(q, f, hn::Set(d, 6.9314721e-1f));
}
template <Way>
HWY_INLINE DoubleVec Exp2Slope(DoubleTag d, DoubleVec f) {
  DoubleVec q = hn::Set(d, 1.3344189328915114e-06);
  q = hn::MulAdd(q, f, hn::Set(d, 1.531420932370682e-05));
  q = hn::MulAdd(q, f, hn::Set(d, 1.540309825892716e-04));
  q = hn::MulAdd(q, f, hn::Set(d, 1.3333434157063952e-03));
  q = hn::MulAdd(q, f, hn::Set(d, 9.618129558876677e-03));
  q = hn::MulAdd(q, f, hn::Set(d, 5.550410959229507e-02));
  q = hn::MulAdd(q, f, hn::Set(d, 2.4022650694742456e-01));
  return hn::MulAdd(q, f, hn::Set(d, 6.931471805412325e-01));
}

template <class Real>
struct Format;
template <>
struct Format<float> {
  static constexpr int kMantissaBits = 23;
  static constexpr float kSmallestExponent = -126;
  static constexpr float kToInteger = 0x1.8p23f;
};
template <>
struct Format<double> {
  static constexpr int kMantissaBits = 52;
  static constexpr double kSmallestExponent = -1022;
  static constexpr double kToInteger = 0x1.8p52;
};

// 2^t for |t| ≤ 1/2.
template <Way kWay, class D, class V = hn::Vec<D>>
HWY_INLINE V Exp2NearZero(D d, V t) {
  return hn::MulAdd(t, Exp2Slope<kWay>(d, t), hn::Set(d, hn::TFromD<D>{1}));
}

// 2^t for t ≤ 1 that is not below the smallest normal exponent.
template <Way kWay, class D, class V = hn::Vec<D>>
HWY_INLINE V Exp2(D d, V t) {
  using Real = Format<hn::TFromD<D>>;
  const hn::RebindToUnsigned<D> du;
  // Adding this rounds to an integer and leaves it in the low bits.
  const V to_integer = hn::Set(d, Real::kToInteger);
  const V shifted = hn::Add(t, to_integer);
  const V f = hn::Sub(t, hn::Sub(shifted, to_integer));
  const auto exponent = hn::ShiftLeft<Real::kMantissaBits>(hn::BitCast(du, shifted));
  return hn::BitCast(d, hn::Add(hn::BitCast(du, Exp2NearZero<kWay>(d, f)), exponent));
}

// The logits that are at most this far below the largest have exponents that fit into one unit,
// and need no reduction.
double NarrowRange(const ExpScale& given) { return 0.998 * given.temperature / kLog2E; }

// Terms, over a factor that is common to all.
template <class D, Way kWay, class V = hn::Vec<D>>
class Scale {
 public:
  explicit Scale(const ExpScale& given) {
    using Real = hn::TFromD<D>;
    const double shift = kWay == Way::kNarrow ? NarrowRange(given) / 2 : 0;
    const auto slope = static_cast<Real>(kLog2E / given.temperature);
    slope_ = hn::Set(D(), slope);
    offset_ = hn::Set(D(), static_cast<Real>((shift - given.max) * slope));
    shift_ = shift / given.temperature;
    factor_ = std::exp(-shift_);
  }

  HWY_INLINE V Term(V logits) {
    V t;
    return Term(logits, t);
  }

  // Gives its exponent, too.
  HWY_INLINE V Term(V logits, V& t) {
    t = hn::MulAdd(logits, slope_, offset_);
    if constexpr (kWay == Way::kNarrow) {
      // In this order: NaN, which may be where a token is out, then never makes it forget.
      smallest_ = hn::Min(t, smallest_);
      return Exp2NearZero<kWay>(D(), t);
    }
    t = hn::Max(t, hn::Set(D(), Format<hn::TFromD<D>>::kSmallestExponent));
    return Exp2<kWay>(D(), t);
  }

  double factor() const { return factor_; }
  // What exponents are too large by, in nats.
  double shift() const { return shift_; }

  // Whether all terms so far were in the range for which this is made.
  bool is_good() const {
    return kWay != Way::kNarrow ||
           hn::AllTrue(D(), hn::Ge(smallest_, hn::Set(D(), hn::TFromD<D>(-0.5))));
  }

 private:
  V slope_;
  V offset_;
  V smallest_ = hn::Zero(D());
  double factor_;
  double shift_;
};

// The block that begins at `begin`, whole: the last one is padded, with tokens outside the set.
class Block {
 public:
  Block(const float* logits, size_t size, const uint32_t* set, size_t begin)
      : logits_(logits + begin), set_(set == nullptr ? nullptr : set + begin / 32) {
    if (begin + kBlockSize > size) Pad(size - begin);
  }

  const uint32_t* set() const { return set_; }

  template <class D>
  HWY_INLINE hn::Vec<D> Logits(D d, size_t i) const {
    return LoadLogits(d, logits_ + i);
  }

  template <bool kIsCentered, class D>
  HWY_INLINE hn::Vec<D> Keys(D d, size_t i, float center) const {
    return LoadKeys<kIsCentered>(d, logits_ + i, center);
  }

  // The terms at `i`; 0 outside the set.
  template <bool kHasSet, class D, class Scale>
  HWY_INLINE hn::Vec<D> Terms(D d, Scale& scale, size_t i) const {
    const auto terms = scale.Term(Logits(d, i));
    if constexpr (!kHasSet) return terms;
    return hn::IfThenElseZero(SetMask(d, i), terms);
  }

  // With their exponents; 0 outside the set, too.
  template <bool kHasSet, class D, class Scale>
  HWY_INLINE hn::Vec<D> Terms(D d, Scale& scale, size_t i, hn::Vec<D>& exponents) const {
    const auto terms = scale.Term(Logits(d, i), exponents);
    if constexpr (!kHasSet) return terms;
    const auto in_set = SetMask(d, i);
    exponents = hn::IfThenElseZero(in_set, exponents);
    return hn::IfThenElseZero(in_set, terms);
  }

  // The mask at `i`, without the tokens outside the set.
  template <bool kHasSet, class D>
  HWY_INLINE hn::Mask<D> MaskInSet(D d, size_t i, hn::Mask<D> mask) const {
    if constexpr (!kHasSet) return mask;
    return hn::And(mask, SetMask(d, i));
  }

 private:
  template <class D>
  HWY_INLINE hn::Mask<D> SetMask(D d, size_t i) const {
    return MaskOfBits(d, BitsFrom(set_, i, hn::Lanes(d)));
  }

  void Pad(size_t size) {
    for (size_t i = 0; i < size; ++i) {
      padded_[i] = logits_[i];
      const uint32_t bit = uint32_t{1} << (i % 32);
      padded_set_[i / 32] |= set_ == nullptr ? bit : set_[i / 32] & bit;
    }
    std::fill(padded_ + size, padded_ + kBlockSize, logits_[0]);
    logits_ = padded_;
    set_ = padded_set_;
  }

  const float* logits_;
  const uint32_t* set_;
  float padded_[kBlockSize];
  uint32_t padded_set_[kWordsPerBlock] = {};
};

// The sum of four vectors.
template <class D, class V = hn::Vec<D>>
HWY_INLINE DoubleVec SumOfFour(D d, V a, V b, V c, V e) {
  return Widened(d, hn::Add(hn::Add(a, b), hn::Add(c, e)));
}

template <bool kHasSet, class D, class Scale>
HWY_INLINE double SumBlock(D d, Scale& scale, const Block& block) {
  DoubleVec sum = hn::Zero(DoubleTag());
  const size_t lanes = hn::Lanes(d);
  for (size_t i = 0; i < kBlockSize; i += 4 * lanes) {
    const auto a = block.Terms<kHasSet>(d, scale, i);
    const auto b = block.Terms<kHasSet>(d, scale, i + lanes);
    const auto c = block.Terms<kHasSet>(d, scale, i + 2 * lanes);
    const auto e = block.Terms<kHasSet>(d, scale, i + 3 * lanes);
    sum = hn::Add(sum, SumOfFour(d, a, b, c, e));
  }
  return scale.factor() * hn::GetLane(hn::SumOfLanes(DoubleTag(), sum));
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

// Blocks with no larger logit than this are computed roughly.
float SmallFrom(const ExpScale& given) {
  return static_cast<float>(given.max - kRoughFrom * given.temperature);
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

struct SplitOfBlock {
  double all;
  double above;
  int32_t count_above;
};

// What Split splits, and where the results go.
struct Splitting {
  ExpScale scale;
  const float* logits;
  size_t size;
  const uint32_t* set;
  LogitKey key;
  KeyRange range;
  double* high_sums;
  uint32_t* between;
};

// Finds the logits of a block whose keys are ≥ high, and those in [low, high).
template <bool kHasSet, bool kIsCentered, class D, class V = hn::Vec<D>>
class Splitter {
 public:
  Splitter(const Block& block, const Splitting& given)
      : block_(block),
        center_(given.key.center.value_or(0)),
        low_(hn::Set(D(), given.range.low)),
        high_(hn::Set(D(), given.range.high)) {}

  // Adds the terms of the high logits at `i` to `sum`, and returns the bits of those between.
  HWY_INLINE uint64_t Split(size_t i, V terms, V& sum) {
    const D d;
    const V keys = block_.template Keys<kIsCentered>(d, i, center_);
    const auto is_high = block_.template MaskInSet<kHasSet>(d, i, hn::Ge(keys, high_));
    const auto reaches_low = block_.template MaskInSet<kHasSet>(d, i, hn::Ge(keys, low_));
    sum = AddIf<D>(is_high, sum, terms);
    count_ = AddIf<D>(is_high, count_, hn::Set(d, hn::TFromD<D>{1}));
    return BitsOfMask(d, hn::AndNot(is_high, reaches_low));
  }

  int32_t count() const { return static_cast<int32_t>(hn::GetLane(hn::SumOfLanes(D(), count_))); }

 private:
  const Block& block_;
  float center_;
  V low_;
  V high_;
  V count_ = hn::Zero(D());
};

// Sets the `n` bits from bit `i` on, a multiple of n, which is a power of two up to 64.
HWY_INLINE void StoreBits(uint64_t bits, size_t n, size_t i, uint32_t* words) {
  const auto low = static_cast<uint32_t>(bits << (i % 32));
  words[i / 32] = i % 32 == 0 ? low : words[i / 32] | low;
  if (n == 64) words[i / 32 + 1] = static_cast<uint32_t>(bits >> 32);
}

template <bool kHasSet, bool kIsCentered, class D, class Scale>
HWY_INLINE SplitOfBlock SplitBlock(D d, Scale& scale, const Block& block, const Splitting& given,
                                   uint32_t* between) {
  const size_t lanes = hn::Lanes(d);
  Splitter<kHasSet, kIsCentered, D> splitter(block, given);
  DoubleVec all = hn::Zero(DoubleTag());
  DoubleVec above = all;
  for (size_t i = 0; i < kBlockSize; i += 4 * lanes) {
    const auto a = block.Terms<kHasSet>(d, scale, i);
    const auto b = block.Terms<kHasSet>(d, scale, i + lanes);
    const auto c = block.Terms<kHasSet>(d, scale, i + 2 * lanes);
    const auto e = block.Terms<kHasSet>(d, scale, i + 3 * lanes);
    all = hn::Add(all, SumOfFour(d, a, b, c, e));
    auto high_terms = hn::Zero(d);
    uint64_t bits = splitter.Split(i, a, high_terms);
    bits |= splitter.Split(i + lanes, b, high_terms) << lanes;
    bits |= splitter.Split(i + 2 * lanes, c, high_terms) << (2 * lanes);
    bits |= splitter.Split(i + 3 * lanes, e, high_terms) << (3 * lanes);
    StoreBits(bits, 4 * lanes, i, between);
    above = hn::Add(above, Widened(d, high_terms));
  }
  return {.all = scale.factor() * hn::GetLane(hn::SumOfLanes(DoubleTag(), all)),
          .above = scale.factor() * hn::GetLane(hn::SumOfLanes(DoubleTag(), above)),
          .count_above = splitter.count()};
}

template <bool kIsCentered, class D, class Scale>
HWY_INLINE SplitOfBlock SplitBlock(D d, Scale& scale, const Block& block, const Splitting& given,
                                   uint32_t* between) {
  return block.set() == nullptr ? SplitBlock<false, kIsCentered>(d, scale, block, given, between)
                                : SplitBlock<true, kIsCentered>(d, scale, block, given, between);
}

// As SumBlocks.
template <class D, Way kWay, bool kIsCentered>
bool SplitBlocks(const Splitting& given, ExpSplit* split) {
  Scale<D, kWay> scale(given.scale);
  double* high_sums = given.high_sums;
  *split = {};
  for (size_t begin = 0; begin < given.size; begin += kBlockSize) {
    const Block block(given.logits, given.size, given.set, begin);
    const SplitOfBlock sums =
        SplitBlock<kIsCentered>(D(), scale, block, given, given.between + begin / 32);
    *high_sums++ = sums.above;
    split->total += sums.all;
    split->count_high += sums.count_above;
  }
  return scale.is_good();
}

template <class D, Way kWay>
bool SplitBlocks(const Splitting& given, ExpSplit* split) {
  return given.key.center ? SplitBlocks<D, kWay, true>(given, split)
                          : SplitBlocks<D, kWay, false>(given, split);
}

// Whether it is worth trying kNarrow: the first logits look like it.
bool LooksNarrow(const ExpScale& given, const float* logits, size_t size) {
  const float bound = static_cast<float>(given.max - NarrowRange(given));
  return std::all_of(logits, logits + std::min<size_t>(size, 64),
                     [bound](float logit) { return logit > bound; });
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

void Split(const ExpScale& scale, const float* logits, size_t size, const uint32_t* set,
           LogitKey key, KeyRange range, double* high_sums, uint32_t* between, ExpSplit* split) {
  const Splitting given = {scale, logits, size, set, key, range, high_sums, between};
  if (given.scale.precision == ExpPrecision::kFine) {
    SplitBlocks<DoubleTag, Way::kFull>(given, split);
  } else if (!LooksNarrow(given.scale, given.logits, given.size) ||
             !SplitBlocks<FloatTag, Way::kNarrow>(given, split)) {
    SplitBlocks<FloatTag, Way::kFull>(given, split);
  }
}

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
  const auto total = [](DoubleVec sums) { return hn::GetLane(hn::SumOfLanes(DoubleTag(), sums)); };
  return {total(sum), total(first), total(second)};
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
  WeightSums sums = {.sum = hn::GetLane(hn::SumOfLanes(DoubleTag(), sum)),
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
HWY_EXPORT(Split);
HWY_EXPORT(Moments);
HWY_EXPORT(TermsOfArray);
HWY_EXPORT(SumWeights);

namespace {

// Everything in nats; `size` is √(mean t²), σ the standard deviation. As for ExpSumError, a term is
// off by the part a + b·|t|, which moves the mean by a·σ + b·size·σ at most (Cauchy-Schwarz), and
// what t itself is off by moves it as far on average. Products of both and sums of four in float32
// round four times more. A rough term moves the mean by its part of |t − mean|. The last summand is
// for terms that are raised to the smallest normal number.
ExpMean MeanOf(const ExpMoments& moments, ExpPrecision precision, double largest, size_t count) {
  const double mean = moments.first / moments.sum / kLog2E;
  const double square = moments.second / moments.sum / kLog2E / kLog2E;
  const double size = std::sqrt(square);
  const bool is_fine = precision == ExpPrecision::kFine;
  const double unit = is_fine ? 0x1p-53 : 0x1p-24;
  const double of_max = 2 * unit * (largest + moments.shift + 1);
  const double sigma = std::sqrt(std::max(0.0, square - mean * mean) + 1e-6 * square) + of_max;
  const double of_terms = (is_fine ? 0x1p-39 : 6.5 * unit) + of_max;
  const double of_exponents = of_max + 3 * unit * size;
  const double of_sums = 5 * unit * size + 0x1p-51 * static_cast<double>(count) * size;
  const double of_rough = kRoughError / moments.sum *
                          (std::abs(moments.rough_first) / kLog2E - mean * moments.rough_sum);
  const double error = (of_terms + 2.1 * unit * size) * sigma + of_exponents + of_sums + of_rough +
                       0x1p-90 / moments.sum;
  return {moments.factor * moments.sum, mean - moments.shift, 1.05 * error,
          moments.factor * moments.rough_sum};
}

}  // namespace

double SumExpTerms(const ExpScale& given, absl::Span<const float> logits, TokenSet set,
                   absl::Span<const float> block_max, absl::Span<double> sums) {
  return HWY_DYNAMIC_DISPATCH(Sums)(given, logits.data(), logits.size(), WordsOf(set),
                                    block_max.data(), sums.data());
}

ExpMean MeanExponent(const ExpScale& given, absl::Span<const float> logits, TokenSet set,
                     absl::Span<const float> block_max, double largest) {
  ExpMoments moments;
  HWY_DYNAMIC_DISPATCH(Moments)
  (given, logits.data(), logits.size(), WordsOf(set), block_max.data(), &moments);
  return MeanOf(moments, given.precision, largest, logits.size());
}

ExpSplit SplitExpTerms(const ExpScale& given, absl::Span<const float> logits, TokenSet set,
                       LogitKey key, KeyRange range, absl::Span<double> high_sums,
                       absl::Span<uint32_t> between) {
  ExpSplit split;
  HWY_DYNAMIC_DISPATCH(Split)
  (given, logits.data(), logits.size(), WordsOf(set), key, range, high_sums.data(), between.data(),
   &split);
  return split;
}

void QuickExpTerms(const ExpScale& given, absl::Span<const float> logits, absl::Span<float> out) {
  HWY_DYNAMIC_DISPATCH(TermsOfArray)(given, logits.data(), logits.size(), out.data());
}

WeightSums SumWeightsAtLeast(absl::Span<const float> keys, absl::Span<const float> weights,
                             float bound) {
  return HWY_DYNAMIC_DISPATCH(SumWeights)(keys.data(), weights.data(), keys.size(), bound);
}

// In units of u = 2^-24, the relative error of a quick term: the exponent t is the sum of a product
// and an offset, of which the slope, the product, the offset and the sum are rounded; that moves t
// by at most u·(3·|t| + 2·|max|·slope), and the term by ln 2 of that. The polynomial with its
// roundings is within 3 u, the last step of it and the sum of four within 3 u. Σ |t|·term / total
// is at most log2(count / total), because no distribution over `count` tokens has more than log2
// count bits of entropy. A fine term likewise, with 2^-53 for u and a polynomial within 2^-39.7.
// Sums of doubles, here and where they run through all tokens one by one, add less than
// 2·count·2^-53 to each of two sums, and terms that are raised to the smallest normal number less
// than count·2^-126.
ExpError ExpSumError(ExpPrecision precision, double largest, double total, size_t count) {
  const double exponent = std::max(0.0, std::log2(static_cast<double>(count) / total));
  const double rounding = 0x1p-51 * (static_cast<double>(count) + exponent + largest);
  const double tiny = 0x1p-125 * static_cast<double>(count);
  if (precision == ExpPrecision::kFine) {
    return {.relative = 0x1p-39, .uneven = total * rounding + tiny};
  }
  const double relative = 0x1p-24 * (2 * largest + 6.5);
  const double higher_order = std::exp(2 * relative);
  return {.relative = higher_order * relative,
          .uneven = total * (higher_order * 0x1p-24 * 2.1 * exponent + rounding) + tiny};
}

}  // namespace logitchain
#endif  // HWY_ONCE
