#ifndef LOGITCHAIN_CORE_KERNELS_EXP_MEAN_H_
#define LOGITCHAIN_CORE_KERNELS_EXP_MEAN_H_

#include "absl/types/span.h"
#include "logitchain/core/kernels/exp_moments.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/kernels/scan.h"

namespace logitchain {

// Of the terms of all of the set, which has a logit. block_max as for SumExpTerms, `largest` is
// |max / temperature|.
ExpMean MeanExponent(const ExpScale& scale, absl::Span<const float> logits, TokenSet set,
                     absl::Span<const float> block_max, double largest);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_KERNELS_EXP_MEAN_H_
