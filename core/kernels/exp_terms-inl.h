// The terms that exp_sums.h, exp_split.h and exp_mean.h sum, in vectors; to be included, as is
// usual with Highway, in files that are compiled once for each target.

#if defined(LOGITCHAIN_CORE_KERNELS_EXP_TERMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOGITCHAIN_CORE_KERNELS_EXP_TERMS_INL_H_
#undef LOGITCHAIN_CORE_KERNELS_EXP_TERMS_INL_H_
#else
#define LOGITCHAIN_CORE_KERNELS_EXP_TERMS_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/kernels/scan.h"
#include "logitchain/core/kernels/token_set-inl.h"

HWY_BEFORE_NAMESPACE();
namespace logitchain {
namespace HWY_NAMESPACE {

inline constexpr double kLog2E = 1.4426950408889634;

// Terms are computed in lanes of float, or of double.
inline constexpr size_t kWordsPerBlock = kBlockSize / 32;

template <class D>
using FloatsOf = hn::Rebind<float, D>;  // As many floats as D has lanes.

HWY_INLINE FloatVec Widen(FloatTag, FloatVec floats) { return floats; }
HWY_INLINE DoubleVec Widen(DoubleTag d, HalfFloatVec floats) { return hn::PromoteTo(d, floats); }

template <class D>
HWY_INLINE hn::Vec<D> LoadLogits(D d, const float* logits) {
  return Widen(d, hn::LoadU(FloatsOf<D>(), logits));
}

// Blocks whose terms are all less than e to the minus this are computed roughly.
inline constexpr double kRoughFrom = 5;

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
HWY_INLINE double NarrowRange(const ExpScale& given) { return 0.998 * given.temperature / kLog2E; }

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

  // |l − center| in float32.
  template <class D>
  HWY_INLINE hn::Vec<D> Distances(D d, size_t i, float center) const {
    const FloatsOf<D> df;
    return Widen(d, hn::Abs(hn::Sub(hn::LoadU(df, logits_ + i), hn::Set(df, center))));
  }

  // The terms at `i`, and their exponents; 0 outside the set.
  template <bool kHasSet, class D, class Scale>
  HWY_INLINE hn::Vec<D> Terms(D d, Scale& scale, size_t i, hn::Vec<D>& exponents) const {
    const auto terms = scale.Term(Logits(d, i), exponents);
    if constexpr (!kHasSet) return terms;
    const auto in_set = SetMask(d, i);
    exponents = hn::IfThenElseZero(in_set, exponents);
    return hn::IfThenElseZero(in_set, terms);
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

// Four vectors of terms or of their exponents.
template <class V>
struct Four {
  V a, b, c, e;
};

template <class V>
HWY_INLINE V Sum(const Four<V>& v) {
  return hn::Add(hn::Add(v.a, v.b), hn::Add(v.c, v.e));
}

// The terms of four vectors from `i` on, and their exponents t; 0 outside the set.
template <bool kHasSet, class D, class Scale>
HWY_INLINE Four<hn::Vec<D>> FourTerms(D d, Scale& scale, const Block& block, size_t i,
                                      Four<hn::Vec<D>>& t) {
  const size_t lanes = hn::Lanes(d);
  const auto a = block.Terms<kHasSet>(d, scale, i, t.a);
  const auto b = block.Terms<kHasSet>(d, scale, i + lanes, t.b);
  const auto c = block.Terms<kHasSet>(d, scale, i + 2 * lanes, t.c);
  const auto e = block.Terms<kHasSet>(d, scale, i + 3 * lanes, t.e);
  return {a, b, c, e};
}

// Blocks with no larger logit than this are computed roughly.
HWY_INLINE float SmallFrom(const ExpScale& given) {
  return static_cast<float>(given.max - kRoughFrom * given.temperature);
}

// Whether it is worth trying kNarrow: the first logits look like it.
HWY_INLINE bool LooksNarrow(const ExpScale& given, const float* logits, size_t size) {
  const float bound = static_cast<float>(given.max - NarrowRange(given));
  return std::all_of(logits, logits + std::min<size_t>(size, 64),
                     [bound](float logit) { return logit > bound; });
}

}  // namespace HWY_NAMESPACE
}  // namespace logitchain
HWY_AFTER_NAMESPACE();

#endif  // LOGITCHAIN_CORE_KERNELS_EXP_TERMS_INL_H_
