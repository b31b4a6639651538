#ifndef LOGITCHAIN_CORE_KERNELS_EXP_TERMS_H_
#define LOGITCHAIN_CORE_KERNELS_EXP_TERMS_H_

#include <cstddef>

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

// Terms that are computed only roughly, where all of a block are below e^-5, are off by this part.
inline constexpr double kRoughError = 4.5e-6;

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

#endif  // LOGITCHAIN_CORE_KERNELS_EXP_TERMS_H_
