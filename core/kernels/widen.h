#ifndef LOGITCHAIN_CORE_KERNELS_WIDEN_H_
#define LOGITCHAIN_CORE_KERNELS_WIDEN_H_

#include "absl/types/span.h"

namespace logitchain {

// Fill `out` with as many 16-bit numbers, which stand at `in` at any address in the machine's byte
// order, as float32. Every one is exact, subnormal and infinite ones too; NaN stays NaN. The result
// does not depend on how the thread treats subnormal numbers.

// IEEE binary16: 1 bit of sign, 5 of exponent, 10 of fraction.
void WidenFloat16(const void* in, absl::Span<float> out);

// The upper half of a float32.
void WidenBfloat16(const void* in, absl::Span<float> out);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_KERNELS_WIDEN_H_
