#ifndef LOGITCHAIN_CORE_KERNELS_EXP_SUMS_H_
#define LOGITCHAIN_CORE_KERNELS_EXP_SUMS_H_

#include "absl/types/span.h"
#include "logitchain/core/kernels/scan.h"

namespace logitchain {

// Fills sums[b], b < BlockCount, with about Σ exp((l − max) / temperature) over the logits of block
// b that are in `set`; all of them are finite or −∞, and the largest is `max`.
//
// With Z the exact sum over all blocks, the sums over any blocks together are within
// kExpSumError·Z of the exact one. It is computed in float32: a term's exponent t = (l − max)/(T·ln
// 2) carries three roundings, so that the term is off by at most (3·ln 2·|t| + 6)·2^-24 of itself,
// the polynomial included; weighted by the terms, |t| averages at most log2 of their number (the
// entropy is at most that), 24; and adding up a block costs at most 24 roundings. That makes less
// than 80·2^-24. Terms below 2^-126 count as 2^-126.
inline constexpr double kExpSumError = 0x1p-17;
void ExpSums(absl::Span<const float> logits, TokenSet set, float max, double temperature,
             absl::Span<float> sums);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_KERNELS_EXP_SUMS_H_
