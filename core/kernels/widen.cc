#include "logitchain/core/kernels/widen.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "absl/types/span.h"

// Highway compiles this file once for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/widen.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace logitchain {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using WordTag = hn::ScalableTag<uint32_t>;
using FloatTag = hn::RebindToFloat<WordTag>;
using HalfTag = hn::Rebind<uint16_t, WordTag>;
using Words = hn::Vec<WordTag>;

HWY_INLINE Words LoadHalves(WordTag d, const uint16_t* in) {
  return hn::PromoteTo(d, hn::LoadU(HalfTag(), in));
}

// Highway's own conversion makes finite numbers of infinities where the machine has no instruction.
struct Float16ToFloat32 {
  HWY_INLINE Words operator()(WordTag d, Words half) const {
    const FloatTag df;
    const Words magnitude = hn::And(half, hn::Set(d, 0x7FFF));
    const Words sign = hn::ShiftLeft<16>(hn::Xor(half, magnitude));
    const Words shifted = hn::ShiftLeft<13>(magnitude);
    // The exponent's bias goes from 15 to 127; infinity and NaN have the largest exponent in both.
    const Words normal = hn::Add(shifted, hn::Set(d, (127u - 15) << 23));
    const Words special = hn::Or(shifted, hn::Set(d, 0x7F800000));
    // A subnormal number is f · 2⁻²⁴: the fraction of 2⁻¹⁴ + f · 2⁻²⁴, both of them normal.
    const Words offset = hn::Set(d, (127u - 14) << 23);
    const Words subnormal =
        hn::BitCast(d, hn::Sub(hn::BitCast(df, hn::Or(shifted, offset)), hn::BitCast(df, offset)));
    const auto is_special = hn::Gt(magnitude, hn::Set(d, 0x7BFF));
    const auto is_subnormal = hn::Lt(magnitude, hn::Set(d, 0x0400));
    return hn::Or(
        sign, hn::IfThenElse(is_subnormal, subnormal, hn::IfThenElse(is_special, special, normal)));
  }
};

struct Bfloat16ToFloat32 {
  HWY_INLINE Words operator()(WordTag, Words half) const { return hn::ShiftLeft<16>(half); }
};

template <typename Convert>
HWY_INLINE void Widen(const uint16_t* in, float* out, size_t size, Convert convert) {
  const WordTag d;
  const FloatTag df;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    hn::StoreU(hn::BitCast(df, convert(d, LoadHalves(d, in + i))), df, out + i);
  }
  if (i == size) return;
  uint16_t rest[hn::MaxLanes(d)] = {};
  HWY_ALIGN float widened[hn::MaxLanes(d)];
  std::copy(in + i, in + size, rest);
  hn::Store(hn::BitCast(df, convert(d, LoadHalves(d, rest))), df, widened);
  std::copy(widened, widened + (size - i), out + i);
}

void WidenFloat16s(const uint16_t* in, float* out, size_t size) {
  Widen(in, out, size, Float16ToFloat32());
}

void WidenBfloat16s(const uint16_t* in, float* out, size_t size) {
  Widen(in, out, size, Bfloat16ToFloat32());
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace logitchain
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logitchain {

HWY_EXPORT(WidenFloat16s);
HWY_EXPORT(WidenBfloat16s);

namespace {

// Numbers at an odd address are copied block by block first.
template <typename Widen>
void WidenFrom(const void* in, absl::Span<float> out, Widen widen) {
  if (reinterpret_cast<uintptr_t>(in) % alignof(uint16_t) == 0) {
    return widen(static_cast<const uint16_t*>(in), out.data(), out.size());
  }
  uint16_t block[512];
  for (size_t i = 0; i < out.size(); i += std::size(block)) {
    const size_t n = std::min(std::size(block), out.size() - i);
    std::memcpy(block, static_cast<const char*>(in) + i * sizeof(uint16_t), n * sizeof(uint16_t));
    widen(block, out.data() + i, n);
  }
}

}  // namespace

void WidenFloat16(const void* in, absl::Span<float> out) {
  WidenFrom(in, out, HWY_DYNAMIC_DISPATCH(WidenFloat16s));
}

void WidenBfloat16(const void* in, absl::Span<float> out) {
  WidenFrom(in, out, HWY_DYNAMIC_DISPATCH(WidenBfloat16s));
}

}  // namespace logitchain
#endif  // HWY_ONCE
