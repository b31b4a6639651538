#include "logitchain/core/dense_moments.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "logitchain/core/dense_logits.h"
#include "logitchain/core/edit_table.h"
#include "logitchain/core/kernels/exp_mean.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/kernels/moments.h"
#include "logitchain/core/numerics/exact_exp.h"

namespace logitchain {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

WeightedMean MeanLogit(DenseLogits& dense, ExpPrecision precision) {
  const ExpScale scale = dense.RawScale(precision);
  const double factor = dense.RawTermFactor();
  const double largest = dense.LargestMaximum();
  ExpMean unedited = {};
  if (factor > 0)
    unedited =
        MeanExponent(scale, dense.raw(), dense.unedited_set(), dense.block_maxima(), largest);
  unedited.sum *= factor;
  unedited.mean += factor > 0 ? dense.Scaled(scale.max) - dense.Max() : 0;
  double edited = 0;
  double of_edited = 0;
  for (const EditTable::Edit& edit : dense.edits()) {
    if (!dense.Find(edit.id)) continue;
    const double below = edit.logit - dense.Max();
    const double term = ExactExp(below);
    edited += term;
    if (term > 0) of_edited += term * below;
  }
  const double total = unedited.sum + edited;
  const double below = (unedited.sum * unedited.mean + of_edited) / total;
  ExpError error_of_total = dense.ErrorOfSums(precision, total);
  error_of_total.uneven += kRoughError * factor * unedited.rough;
  // The two parts' shares are off as their sums, and divided logits are rounded, too.
  const double of_shares = edited > 0 ? (error_of_total.relative + error_of_total.uneven / total) *
                                            (std::abs(unedited.mean) + std::abs(below))
                                      : 0;
  const double of_logits = 0x1p-50 * (largest - below);
  return {dense.Max() + below, unedited.error + 1.05 * of_shares + of_logits, total,
          error_of_total};
}

// With u = 2^-53, n logits and m the mean square about the center: a sum here is off by (n + 16)·u,
// the variance therefore by 4·m·(n + 20)·u, rounded divisions included. One by one, Σ l is off by
// n·u·Σ |l|; the variance by the square of what that is in the mean, and by (n + 4)·u of itself.
Deviation DeviationOfLogits(DenseLogits& dense) {
  const float raw_center = dense.RawMax();
  const double center = raw_center == -kInfinity ? dense.Max() : dense.Scaled(raw_center);
  double sum = 0;
  double squares = 0;
  if (raw_center != -kInfinity) {
    const LogitMoments moments = SumMoments(dense.raw(), dense.unedited_set(), raw_center);
    const double divisor = dense.RawScale(ExpPrecision::kFine).temperature;
    sum = moments.sum / divisor;
    squares = moments.sum_of_squares / divisor / divisor;
  }
  for (const EditTable::Edit& edit : dense.edits()) {
    if (!dense.Find(edit.id)) continue;
    const double distance = edit.logit - center;
    sum += distance;
    squares += distance * distance;
  }
  const double n = dense.Live();
  const double mean = sum / n;
  const double mean_square = squares / n;
  const double variance = std::max(0.0, mean_square - mean * mean);
  const double sigma = std::sqrt(variance);
  const double unit = 1.01 * 0x1p-53 * (n + 20);
  const double of_mean = unit * (std::abs(center) + std::sqrt(mean_square));
  const double of_variance = 5 * unit * mean_square + of_mean * of_mean;
  return {sigma, of_variance / sigma + 0x1p-50 * sigma};
}

}  // namespace logitchain
