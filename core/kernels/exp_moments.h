#ifndef LOGITCHAIN_CORE_KERNELS_EXP_MOMENTS_H_
#define LOGITCHAIN_CORE_KERNELS_EXP_MOMENTS_H_

#include <cstddef>

#include "logitchain/core/kernels/exp_terms.h"

namespace logitchain {

// Sums of 2^t times powers of t, where t is the exponent of a term, and `shift` more than that.
struct ExpMoments {
  double sum;
  double first;
  double second;     // But those of the next,
  double rough_sum;  // where all terms are so small that they were computed only roughly.
  double rough_first;
  double factor = 1;  // What brings the sum to terms,
  double shift = 0;   // and to exponents, in nats.
};

struct ExpMean {
  double sum;    // Of the terms.
  double mean;   // Of (l − max) / temperature, weighted with the terms.
  double error;  // How far off the mean is at most.
  double sigma;  // The standard deviation, likewise weighted; rather too much than too little.
  double rough;  // As SumExpTerms returns it.
};

// Of sums over at most `count` logits; `largest` is |max / temperature|.
ExpMean MeanOf(const ExpMoments& moments, ExpPrecision precision, double largest, size_t count);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_KERNELS_EXP_MOMENTS_H_
