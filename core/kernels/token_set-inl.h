// Vectors of logits, and bits of a TokenSet as vector masks; to be included, as is usual with
// Highway, in files that are compiled once for each target.

#if defined(LOGITCHAIN_CORE_KERNELS_TOKEN_SET_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOGITCHAIN_CORE_KERNELS_TOKEN_SET_INL_H_
#undef LOGITCHAIN_CORE_KERNELS_TOKEN_SET_INL_H_
#else
#define LOGITCHAIN_CORE_KERNELS_TOKEN_SET_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace logitchain {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors of at most 16 floats: the bits of one lie in one word of a TokenSet, those of four in
// two.
using FloatTag = hn::CappedTag<float, 16>;
using FloatVec = hn::Vec<FloatTag>;
using FloatMask = hn::Mask<FloatTag>;

// Doubles for half as many of them.
using HalfFloatTag = hn::Half<FloatTag>;
using HalfFloatVec = hn::Vec<HalfFloatTag>;
using DoubleTag = hn::Rebind<double, HalfFloatTag>;
using DoubleVec = hn::Vec<DoubleTag>;

// The lanes as doubles; those of the upper lanes are added to those of the lower.
HWY_INLINE DoubleVec Widened(FloatTag, FloatVec floats) {
  const DoubleTag d;
#if HWY_TARGET == HWY_SCALAR
  return hn::PromoteTo(d, floats);
#else
  return hn::Add(hn::PromoteTo(d, hn::LowerHalf(floats)),
                 hn::PromoteTo(d, hn::UpperHalf(HalfFloatTag(), floats)));
#endif
}
HWY_INLINE DoubleVec Widened(DoubleTag, DoubleVec doubles) { return doubles; }

// The sum of the lanes.
HWY_INLINE double Total(DoubleVec sums) { return hn::GetLane(hn::SumOfLanes(DoubleTag(), sums)); }

// The mask whose lane i is bit i.
template <class D>
HWY_INLINE hn::Mask<D> MaskOfBits(D d, uint32_t bits) {
  uint8_t bytes[8] = {};  // LoadMaskBits may read a whole word.
  std::memcpy(bytes, &bits, sizeof(bits));
  return hn::LoadMaskBits(d, bytes);
}

// The reverse. Loads as many bytes as were stored, or the processor would wait for the store.
template <class D>
HWY_INLINE uint32_t BitsOfMask(D d, hn::Mask<D> mask) {
  uint8_t bytes[8];
  hn::StoreMaskBits(d, mask, bytes);
  uint32_t bits = 0;
  std::memcpy(&bits, bytes, (hn::MaxLanes(d) + 7) / 8);
  return bits;
}

// Adds in the lanes of a mask.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V AddIf(hn::Mask<D> mask, V sum, V value) {
  return hn::IfThenElse(mask, hn::Add(sum, value), sum);
}

// The bits of the tokens from `id` on, as many as a vector has lanes, in the low bits.
HWY_INLINE uint32_t BitsFrom(const uint32_t* words, size_t id, size_t lanes) {
  return (words[id / 32] >> (id % 32)) & ((uint32_t{1} << lanes) - 1);
}

}  // namespace HWY_NAMESPACE
}  // namespace logitchain
HWY_AFTER_NAMESPACE();

#endif  // LOGITCHAIN_CORE_KERNELS_TOKEN_SET_INL_H_
