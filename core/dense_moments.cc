#include "logitchain/core/dense_moments.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "logitchain/core/dense_logits.h"
#include "logitchain/core/edit_table.h"
#include "logitchain/core/kernels/exp_mean.h"
#include "logitchain/core/kernels/exp_moments.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/kernels/moments.h"
#include "logitchain/core/numerics/exact_exp.h"
#include "logitchain/core/token_order.h"

namespace logitchain {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// How far apart the plain rule's distances from H can be from those from the mean: of n terms, a
// sum in float64 is off by n·2^-53, and H is at most log total + max − mean.
double DoubtOfDistance(DenseLogits& dense, const WeightedMean& mean) {
  const double max = dense.Max();
  const double entropy = std::log(mean.total) + (max - mean.mean);
  const double of_sums = 0x1p-50 * (dense.vocab_size() + 64.0) * (entropy + 2);
  return 2 * mean.error + of_sums + 0x1p-48 * std::abs(max);
}

}  // namespace

WeightedMean MeanLogit(DenseLogits& dense, ExpPrecision precision) {
  if (dense.RawTermFactor() == 0) return MeanLogit(dense, precision, {});
  return MeanLogit(dense, precision,
                   MeanExponent(dense.RawScale(precision), dense.raw(), dense.unedited_set(),
                                dense.block_maxima(), dense.LargestMaximum()));
}

WeightedMean MeanLogit(DenseLogits& dense, ExpPrecision precision, const ExpMean& of_unedited) {
  const double factor = dense.RawTermFactor();
  const double largest = dense.LargestMaximum();
  ExpMean unedited = of_unedited;
  unedited.sum *= factor;
  unedited.mean += factor > 0 ? dense.Scaled(dense.RawMax()) - dense.Max() : 0;
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

TokenOrder OrderByDistance(DenseLogits& dense, const WeightedMean& mean) {
  return TokenOrder::ByDistance(mean.mean, DoubtOfDistance(dense, mean),
                                dense.RawScale(ExpPrecision::kQuick).temperature);
}

namespace {

// A logit that many are close to, where they all are: the mean of some.
float CenterOf(DenseLogits& dense) {
  constexpr size_t kSamples = 64;
  const absl::Span<const float> logits = dense.raw();
  double sum = 0;
  int count = 0;
  for (size_t i = 0; i < logits.size(); i += logits.size() / kSamples + 1) {
    if (!std::isfinite(logits[i])) continue;
    sum += logits[i];
    ++count;
  }
  return count == 0 ? dense.RawMax() : static_cast<float>(sum / count);
}

// Sums over the unedited logits, which include one that is not −∞, and the parts that they are off
// by.
struct CenteredMoments {
  float center;
  LogitMoments moments;
  double error;
};

CenteredMoments MomentsOf(DenseLogits& dense, ExpPrecision precision) {
  const float center = CenterOf(dense);
  const absl::Span<const float> logits = dense.raw();
  const TokenSet set = dense.unedited_set();
  const auto count = static_cast<double>(logits.size());
  if (precision == ExpPrecision::kFine) {
    return {center, SumMoments(logits, set, center), 0x1p-53 * (count + 16)};
  }
  const LogitMoments quick = SumMomentsQuickly(logits, set, center);
  return {center, quick, kQuickMomentsError + count * 0x1p-149 / quick.sum_of_squares};
}

}  // namespace

// Let u = 2^-53, of n logits, m be the mean square about the center. If the sums are off by the
// part e, so is m, and the mean by e·√m (Cauchy-Schwarz), which makes 4·e·m in the variance; the
// sums of edits and rounded divisions add 4·u·m·(n + 20). One by one, Σ l is off by n·u·Σ |l|; the
// variance by the square of what that is in the mean, and by (n + 4)·u of itself.
Deviation DeviationOfLogits(DenseLogits& dense, ExpPrecision precision) {
  double center = dense.Max();
  double error = 0;
  double sum = 0;
  double squares = 0;
  if (dense.RawMax() != -kInfinity) {
    const CenteredMoments unedited = MomentsOf(dense, precision);
    const double divisor = dense.RawScale(ExpPrecision::kFine).temperature;
    center = dense.Scaled(unedited.center);
    error = unedited.error;
    sum = unedited.moments.sum / divisor;
    squares = unedited.moments.sum_of_squares / divisor / divisor;
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
  const double of_variance = 5 * (error + unit) * mean_square + of_mean * of_mean;
  return {sigma, of_variance / sigma + 0x1p-50 * sigma};
}

}  // namespace logitchain
