#include "logitchain/core/kernels/exp_moments.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "logitchain/core/kernels/exp_terms.h"

namespace logitchain {
namespace {

constexpr double kNatsPerBit = 0.6931471805599453;
// No exponent in float32 is further from 0, a shift included.
constexpr double kFarthestRough = 127;

}  // namespace

// Everything in nats; `size` is √(mean t²), σ the standard deviation. As for ExpSumError, a term is
// off by the part a + b·|t|, which moves the mean by a·σ + b·size·σ at most (Cauchy-Schwarz), and
// what t itself is off by moves it as far on average. Products of both and sums of eight in float32
// round four times more. A rough term moves the mean by its part of |t − mean|. The last summand is
// for terms that are raised to the smallest normal number.
ExpMean MeanOf(const ExpMoments& moments, ExpPrecision precision, double largest, size_t count) {
  const double mean = kNatsPerBit * moments.first / moments.sum;
  const double second = moments.second + kFarthestRough * std::abs(moments.rough_first);
  const double square = kNatsPerBit * kNatsPerBit * second / moments.sum;
  const double size = std::sqrt(square);
  const bool is_fine = precision == ExpPrecision::kFine;
  const double unit = is_fine ? 0x1p-53 : 0x1p-24;
  const double of_max = 2 * unit * (largest + moments.shift + 1);
  const double sigma = std::sqrt(std::max(0.0, square - mean * mean) + 1e-6 * square) + of_max;
  const double of_terms = (is_fine ? 0x1p-39 : 6.5 * unit) + of_max;
  const double of_exponents = of_max + 3 * unit * size;
  const double of_sums = 5 * unit * size + 0x1p-51 * static_cast<double>(count) * size;
  const double of_rough = kRoughError / moments.sum *
                          (kNatsPerBit * std::abs(moments.rough_first) - mean * moments.rough_sum);
  const double error = (of_terms + 2.1 * unit * size) * sigma + of_exponents + of_sums + of_rough +
                       0x1p-90 / moments.sum;
  return {.sum = moments.factor * moments.sum,
          .mean = mean - moments.shift,
          .error = 1.05 * error,
          .sigma = sigma,
          .rough = moments.factor * moments.rough_sum};
}

}  // namespace logitchain
