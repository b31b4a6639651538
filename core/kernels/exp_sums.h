#ifndef LOGITCHAIN_CORE_KERNELS_EXP_SUMS_H_
#define LOGITCHAIN_CORE_KERNELS_EXP_SUMS_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "logitchain/core/kernels/scan.h"

namespace logitchain {

// Sums of terms exp((l − max) / temperature), approximate, with a bound on how far off they are.
//
// Logits of the set are finite or −∞, and `max` is at least all of them; the others are any floats.
// `temperature` is in [1e-20, 1e20], and |max / temperature| at most 1e6.

enum class ExpPrecision {
  kQuick,  // float32, about 3 passes over the logits.
  kFine,   // float64, twice that.
};

// What a logit's term is.
struct ExpScale {
  float max;
  double temperature;
  ExpPrecision precision;
};

// Fills sums[b], b < BlockCount, with the sum over the logits of block b that are in `set`, of
// which block_max[b] is the largest.
//
// Returns the sum over the blocks where all terms are so small that they were computed only
// roughly: where that sum is off by kRoughError of itself.
double SumExpTerms(const ExpScale& scale, absl::Span<const float> logits, TokenSet set,
                   absl::Span<const float> block_max, absl::Span<double> sums);
inline constexpr double kRoughError = 4.5e-6;

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

// What logits are compared by: themselves, or −|l − center| in float32.
struct LogitKey {
  std::optional<float> center;

  float operator()(float logit) const { return center ? -std::abs(logit - *center) : logit; }
};

// Keys in [low, high).
struct KeyRange {
  float low;
  float high;
};

struct ExpSplit {
  double total;        // The sum over all of the set.
  int32_t count_high;  // Tokens of the set with a key ≥ high.
};

// Fills high_sums[b], b < BlockCount, as SumExpTerms does, with sums over the logits with a key
// ≥ range.high alone, and `between`, which has BlockCount·kBlockSize bits, with the tokens of the
// set with a key in the range.
ExpSplit SplitExpTerms(const ExpScale& scale, absl::Span<const float> logits, TokenSet set,
                       LogitKey key, KeyRange range, absl::Span<double> high_sums,
                       absl::Span<uint32_t> between);

// Fills out[i] with the term of logits[i] in float32, off by as much as a quick sum.
void QuickExpTerms(const ExpScale& scale, absl::Span<const float> logits, absl::Span<float> out);

struct WeightSums {
  double sum;
  double sum_of_squares;  // Roughly.
  int32_t count;
};

// Sums the weights of the keys that are at least `bound`.
WeightSums SumWeightsAtLeast(absl::Span<const float> keys, absl::Span<const float> weights,
                             float bound);

// How far sums of terms are from the exact ones.
struct ExpError {
  double relative;  // A part of every sum,
  double uneven;    // and beyond that, all terms together; absolute.

  // How far the sum over some tokens can be from where they have the share `share` of `total`. A
  // relative error that all terms have in common cancels; that of the smaller part counts. Nothing
  // cancels in terms that were computed in another way than for the total, such as exactly:
  // `recomputed` is the sum of those.
  double Margin(double share, double total, double recomputed) const {
    return 1.01 * (uneven + 2 * relative * (share * (1 - share) * total + recomputed));
  }
};

// The error where the sum over all of `count` logits is `total`, and `largest` is
// |max / temperature|.
ExpError ExpSumError(ExpPrecision precision, double largest, double total, size_t count);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_KERNELS_EXP_SUMS_H_
