#include "logitchain/core/kernels/exp_sums.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/types/span.h"

// Highway compiles this file once for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/exp_sums.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "logitchain/core/kernels/token_set-inl.h"

HWY_BEFORE_NAMESPACE();
namespace logitchain {
namespace HWY_NAMESPACE {
namespace {

// 2^t for t in [-126, 0], within 6·2^-24 of it: Taylor's series of 2^f, |f| ≤ 1/2, to the sixth
// power, and the exponent's bits.
HWY_INLINE FloatVec Exp2(FloatTag d, FloatVec t) {
  const hn::RebindToSigned<FloatTag> di;
  const FloatVec whole = hn::Round(t);
  const FloatVec f = hn::Sub(t, whole);
  FloatVec p = hn::Set(d, 1.5403530e-4f);
  p = hn::MulAdd(p, f, hn::Set(d, 1.3333558e-3f));
  p = hn::MulAdd(p, f, hn::Set(d, 9.6181291e-3f));
  p = hn::MulAdd(p, f, hn::Set(d, 5.5504109e-2f));
  p = hn::MulAdd(p, f, hn::Set(d, 2.4022651e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 6.9314718e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 1.0f));
  const auto exponent = hn::ShiftLeft<23>(hn::ConvertTo(di, whole));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, p), exponent));
}

// The terms of the vector at `id`; 0 past the end and outside the set.
HWY_INLINE FloatVec Terms(FloatTag d, const float* logits, size_t id, size_t end,
                          const uint32_t* set, FloatVec max, FloatVec scale) {
  const size_t lanes = hn::Lanes(d);
  const FloatVec lowest = hn::Set(d, -126.0f);
  const auto terms_of = [&](FloatVec loaded) {
    return Exp2(d, hn::Max(hn::Mul(hn::Sub(loaded, max), scale), lowest));
  };
  if (id + lanes > end) {
    HWY_ALIGN float rest[hn::MaxLanes(d)] = {};
    std::copy(logits + id, logits + end, rest);
    const FloatVec terms = hn::IfThenElseZero(hn::FirstN(d, end - id), terms_of(hn::Load(d, rest)));
    return set == nullptr ? terms
                          : hn::IfThenElseZero(MaskOfBits(d, BitsFrom(set, id, lanes)), terms);
  }
  const FloatVec terms = terms_of(hn::LoadU(d, logits + id));
  return set == nullptr ? terms
                        : hn::IfThenElseZero(MaskOfBits(d, BitsFrom(set, id, lanes)), terms);
}

void ExpSumsOfBlocks(const float* logits, size_t size, const uint32_t* set, float max, double scale,
                     float* sums) {
  const FloatTag d;
  const size_t lanes = hn::Lanes(d);
  const FloatVec maxima = hn::Set(d, max);
  const FloatVec scales = hn::Set(d, static_cast<float>(scale));
  for (size_t begin = 0; begin < size; begin += kBlockSize) {
    const size_t end = std::min(begin + kBlockSize, size);
    FloatVec sum0 = hn::Zero(d);
    FloatVec sum1 = hn::Zero(d);
    size_t id = begin;
    for (; id + lanes < end; id += 2 * lanes) {
      sum0 = hn::Add(sum0, Terms(d, logits, id, end, set, maxima, scales));
      sum1 = hn::Add(sum1, Terms(d, logits, id + lanes, end, set, maxima, scales));
    }
    if (id < end) sum0 = hn::Add(sum0, Terms(d, logits, id, end, set, maxima, scales));
    *sums++ = hn::GetLane(hn::SumOfLanes(d, hn::Add(sum0, sum1)));
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace logitchain
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logitchain {

HWY_EXPORT(ExpSumsOfBlocks);

constexpr double kLog2E = 1.4426950408889634;

void ExpSums(absl::Span<const float> logits, TokenSet set, float max, double temperature,
             absl::Span<float> sums) {
  const uint32_t* words = set.empty() ? nullptr : set.data();
  HWY_DYNAMIC_DISPATCH(ExpSumsOfBlocks)
  (logits.data(), logits.size(), words, max, kLog2E / temperature, sums.data());
}

}  // namespace logitchain
#endif  // HWY_ONCE
