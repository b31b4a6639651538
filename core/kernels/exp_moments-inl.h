// What exp_mean.h and exp_split.h sum for a mean, in vectors; to be included, as is usual with
// Highway, in files that are compiled once for each target.

#if defined(LOGITCHAIN_CORE_KERNELS_EXP_MOMENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOGITCHAIN_CORE_KERNELS_EXP_MOMENTS_INL_H_
#undef LOGITCHAIN_CORE_KERNELS_EXP_MOMENTS_INL_H_
#else
#define LOGITCHAIN_CORE_KERNELS_EXP_MOMENTS_INL_H_
#endif

#include "hwy/highway.h"
#include "logitchain/core/kernels/exp_moments.h"
#include "logitchain/core/kernels/exp_terms-inl.h"
#include "logitchain/core/kernels/token_set-inl.h"

HWY_BEFORE_NAMESPACE();
namespace logitchain {
namespace HWY_NAMESPACE {

template <class V>
HWY_INLINE Four<V> Products(const Four<V>& v, const Four<V>& w) {
  return {hn::Mul(v.a, w.a), hn::Mul(v.b, w.b), hn::Mul(v.c, w.c), hn::Mul(v.e, w.e)};
}

template <class V>
HWY_INLINE V SumOfProducts(const Four<V>& v, const Four<V>& w) {
  return hn::Add(hn::MulAdd(v.a, w.a, hn::Mul(v.b, w.b)), hn::MulAdd(v.c, w.c, hn::Mul(v.e, w.e)));
}

// Sums of terms times powers of their exponents t, in lanes.
template <class D, bool kHasSecond>
class MomentSums {
 public:
  using V = hn::Vec<D>;

  HWY_INLINE MomentSums()
      : sum_(hn::Zero(DoubleTag())),
        first_(hn::Zero(DoubleTag())),
        second_(hn::Zero(DoubleTag())) {}

  HWY_INLINE void Add(const Four<V>& terms, const Four<V>& t, const Four<V>& more_terms,
                      const Four<V>& more_t) {
    const Four<V> products = Products(terms, t);
    const Four<V> more_products = Products(more_terms, more_t);
    sum_ = hn::Add(sum_, hn::Add(Widened(D(), Sum(terms)), Widened(D(), Sum(more_terms))));
    first_ = hn::Add(first_, Widened(D(), hn::Add(Sum(products), Sum(more_products))));
    if constexpr (kHasSecond) {
      const V second = hn::Add(SumOfProducts(products, t), SumOfProducts(more_products, more_t));
      second_ = hn::Add(second_, Widened(D(), second));
    }
  }

  HWY_INLINE void AddTo(ExpMoments& moments) const {
    moments.sum += Total(sum_);
    moments.first += Total(first_);
    if constexpr (kHasSecond) moments.second += Total(second_);
  }

 private:
  DoubleVec sum_;
  DoubleVec first_;
  DoubleVec second_;
};

}  // namespace HWY_NAMESPACE
}  // namespace logitchain
HWY_AFTER_NAMESPACE();

#endif  // LOGITCHAIN_CORE_KERNELS_EXP_MOMENTS_INL_H_
