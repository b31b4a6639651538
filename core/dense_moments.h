#ifndef LOGITCHAIN_CORE_DENSE_MOMENTS_H_
#define LOGITCHAIN_CORE_DENSE_MOMENTS_H_

#include "logitchain/core/dense_logits.h"
#include "logitchain/core/kernels/exp_moments.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/token_order.h"

namespace logitchain {

// Means over the logits that are not removed, of which there is at least one, within bounds.

struct WeightedMean {
  double mean;
  double error;  // How far off that is at most.
  double total;  // Of the weights,
  ExpError error_of_total;
};

struct Deviation {
  double sigma;
  double error;  // How far off that is at most, from the exact value and from what sums in float64,
                 // one by one, give.
};

// Weighted with exp(l − max). DenseLogits::CanApproximate must hold.
WeightedMean MeanLogit(DenseLogits& dense, ExpPrecision precision);

// The same, given the terms of the caller's logits (DenseLogits::RawScale).
WeightedMean MeanLogit(DenseLogits& dense, ExpPrecision precision, const ExpMean& unedited);

// By the distance from such a mean.
TokenOrder OrderByDistance(DenseLogits& dense, const WeightedMean& mean);

// Divisions must be in float64. Where the logits are far too large or too small for the precision,
// sigma or error is not finite.
Deviation DeviationOfLogits(DenseLogits& dense, ExpPrecision precision);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DENSE_MOMENTS_H_
