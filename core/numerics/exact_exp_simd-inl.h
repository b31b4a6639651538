// e^x correctly rounded, on vectors, for use inside kernels: to be included, as is usual with
// Highway, in files that are compiled once for each target.
//
//   #include "hwy/highway.h"
//   #include "logitchain/core/numerics/exact_exp_simd-inl.h"
//
//   HWY_BEFORE_NAMESPACE();
//   namespace logitchain {
//   namespace HWY_NAMESPACE {
//   ... ExactExp(d, v) ...
//
// Only where HWY_HAVE_FLOAT64 is 1.

#if defined(LOGITCHAIN_CORE_NUMERICS_EXACT_EXP_SIMD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOGITCHAIN_CORE_NUMERICS_EXACT_EXP_SIMD_INL_H_
#undef LOGITCHAIN_CORE_NUMERICS_EXACT_EXP_SIMD_INL_H_
#else
#define LOGITCHAIN_CORE_NUMERICS_EXACT_EXP_SIMD_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "logitchain/core/numerics/exact_exp.h"
#include "logitchain/core/numerics/exp2_table.h"
#include "logitchain/core/numerics/quick_exp.h"

HWY_BEFORE_NAMESPACE();
namespace logitchain {
namespace HWY_NAMESPACE {

#if HWY_HAVE_FLOAT64

// The quick stage: QuickExp of quick_exp.h, where the method is explained, and the test of the
// rounding. Returns e^x in the lanes that it can decide, and tells which ones it cannot: where the
// error bound leaves the rounding open, about once in 2^11, and where x is NaN, from 708 on, or
// between -708 and the largest x with e^x = 0.
//
// The differences from the scalar function: 2^(j/128) comes from kExp2Fractions, whose error of
// 2^-65 is 64 units of 2^-71 beside the 17 there, so the bound is 96 such units; and where the
// target has a fused multiply-add, some roundings do not take place.
template <class D, class V = hwy::HWY_NAMESPACE::VFromD<D>>
HWY_INLINE V QuickExactExp(D d, V x, hwy::HWY_NAMESPACE::Mask<D>& undecided) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::RebindToSigned<D> di;
  constexpr int64_t kIndexMask = internal::kExp2TableSize - 1;
  const V to_integer = hn::Set(d, internal::kExpToInteger);
  const V to_coarse = hn::Set(d, internal::kExpToCoarse);
  const V error = hn::Set(d, 0x1.8p-65);

  const V shifted = hn::Add(hn::Mul(x, hn::Set(d, internal::kExpStepsPerUnit)), to_integer);
  const V n = hn::Sub(shifted, to_integer);
  const V near = hn::NegMulAdd(n, hn::Set(d, internal::kExpStepHead), x);
  const V coarse = hn::Sub(hn::Add(near, to_coarse), to_coarse);
  const V fine = hn::NegMulAdd(n, hn::Set(d, internal::kExpStepTail), hn::Sub(near, coarse));
  const V r = hn::Add(coarse, fine);
  V series = hn::MulAdd(r, hn::Set(d, 1.0 / 720), hn::Set(d, 1.0 / 120));
  series = hn::MulAdd(r, series, hn::Set(d, 1.0 / 24));
  series = hn::MulAdd(r, series, hn::Set(d, 1.0 / 6));
  series = hn::MulAdd(r, series, hn::Set(d, 1.0 / 2));
  const V small = hn::MulAdd(hn::Mul(r, r), series, fine);

  // 2^(j/128) = head + tail. The table has its 64 bits after the point; the upper 26 become head's,
  // after its 1, and the lower 38 become tail's, after a 2^-12 that is taken away again.
  const auto shifted_bits = hn::BitCast(di, shifted);
  const auto index = hn::And(shifted_bits, hn::Set(di, kIndexMask));
  const auto fraction = hn::GatherIndex(di, internal::kExp2Fractions.data(), index);
  const auto head_bits =
      hn::And(hn::ShiftRight<12>(fraction), hn::Set(di, int64_t{0x000FFFFFFC000000}));
  const V head = hn::BitCast(d, hn::Or(head_bits, hn::BitCast(di, hn::Set(d, 1.0))));
  const auto tail_bits = hn::And(fraction, hn::Set(di, int64_t{0x0000003FFFFFFFFF}));
  const V offset = hn::Set(d, 0x1p-12);
  const V tail = hn::Sub(hn::BitCast(d, hn::Or(tail_bits, hn::BitCast(di, offset))), offset);

  const V product = hn::Mul(head, coarse);
  const V sum = hn::Add(head, product);
  const V lost = hn::Sub(product, hn::Sub(sum, head));
  const V rest =
      hn::Add(lost, hn::MulAdd(head, small, hn::MulAdd(tail, hn::Add(coarse, small), tail)));
  const V lower = hn::Add(sum, hn::Sub(rest, error));
  const V upper = hn::Add(sum, hn::Add(rest, error));

  const auto ordinary = hn::Lt(hn::Abs(x), hn::Set(d, internal::kExpOrdinary));
  const auto decided = hn::And(ordinary, hn::Eq(lower, upper));
  const auto zero = hn::Le(x, hn::Set(d, internal::kExpUnderflow));
  const auto exponent = hn::ShiftLeft<52 - internal::kExp2TableBits>(
      hn::AndNot(hn::Set(di, kIndexMask), shifted_bits));
  const V scaled = hn::BitCast(d, hn::Add(hn::BitCast(di, lower), exponent));
  undecided = hn::Not(hn::Or(decided, zero));
  return hn::IfThenElseZero(decided, scaled);
}

// `exp` with the undecided lanes filled in by the scalar function.
template <class D, class V = hwy::HWY_NAMESPACE::VFromD<D>>
HWY_NOINLINE V DecideExp(D d, V x, V exp, hwy::HWY_NAMESPACE::Mask<D> undecided) {
  namespace hn = hwy::HWY_NAMESPACE;
  constexpr size_t kMaxLanes = hn::MaxLanes(d);
  HWY_ALIGN double arguments[kMaxLanes];
  HWY_ALIGN double results[kMaxLanes];
  HWY_ALIGN double is_undecided[kMaxLanes];
  hn::Store(x, d, arguments);
  hn::Store(exp, d, results);
  hn::Store(hn::IfThenElseZero(undecided, hn::Set(d, 1.0)), d, is_undecided);
  for (size_t i = 0; i < hn::Lanes(d); ++i) {
    if (is_undecided[i] != 0) results[i] = logitchain::ExactExp(arguments[i]);
  }
  return hn::Load(d, results);
}

// ExactExp of every lane of x, bit for bit, whatever x is. `d` is a tag of double.
template <class D, class V = hwy::HWY_NAMESPACE::VFromD<D>>
HWY_INLINE V ExactExp(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  hn::Mask<D> undecided;
  const V exp = QuickExactExp(d, x, undecided);
  if (HWY_LIKELY(hn::AllFalse(d, undecided))) return exp;
  return DecideExp(d, x, exp, undecided);
}

#endif  // HWY_HAVE_FLOAT64

}  // namespace HWY_NAMESPACE
}  // namespace logitchain
HWY_AFTER_NAMESPACE();

#endif  // LOGITCHAIN_CORE_NUMERICS_EXACT_EXP_SIMD_INL_H_
