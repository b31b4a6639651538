#ifndef LOGITCHAIN_CORE_KERNELS_EXP_MEAN_H_
#define LOGITCHAIN_CORE_KERNELS_EXP_MEAN_H_

#include "absl/types/span.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/kernels/scan.h"

namespace logitchain {

struct ExpMean {
  double sum;    // Of the terms.
  double mean;   // Of (l − max) / temperature, weighted with the terms.
  double error;  // How far off the mean is at most.
  double rough;  // As SumExpTerms returns it.
};

// Over all of the set, which has a logit. block_max as for SumExpTerms, `largest` is
// |max / temperature|.
ExpMean MeanExponent(const ExpScale& scale, absl::Span<const float> logits, TokenSet set,
                     absl::Span<const float> block_max, double largest);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_KERNELS_EXP_MEAN_H_
