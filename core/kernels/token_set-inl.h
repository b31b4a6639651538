// Bits of a TokenSet as vector masks; to be included, as is usual with Highway, in files that are
// compiled once for each target.

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

// Vectors of at most 32 floats, so that the bits of one lie in one word of a TokenSet.
using FloatTag = hn::CappedTag<float, 32>;
using FloatVec = hn::Vec<FloatTag>;
using FloatMask = hn::Mask<FloatTag>;

// The mask whose lane i is bit i.
HWY_INLINE FloatMask MaskOfBits(FloatTag d, uint32_t bits) {
  uint8_t bytes[8] = {};  // LoadMaskBits may read a whole word.
  std::memcpy(bytes, &bits, sizeof(bits));
  return hn::LoadMaskBits(d, bytes);
}

// The bits of the tokens from `id` on, as many as a vector has lanes, in the low bits.
HWY_INLINE uint32_t BitsFrom(const uint32_t* words, size_t id, size_t lanes) {
  const uint32_t bits = words[id / 32] >> (id % 32);
  return lanes == 32 ? bits : bits & ((uint32_t{1} << lanes) - 1);
}

}  // namespace HWY_NAMESPACE
}  // namespace logitchain
HWY_AFTER_NAMESPACE();

#endif  // LOGITCHAIN_CORE_KERNELS_TOKEN_SET_INL_H_
