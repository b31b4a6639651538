#ifndef LOGITCHAIN_CORE_SOFTMAX_H_
#define LOGITCHAIN_CORE_SOFTMAX_H_

#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/dialect.h"

namespace logitchain {

// Softmax as a dialect defines it. Logits are finite or −∞ with at least one finite; the term of −∞
// is exactly 0. Sums run in the order of the span. Results that a dialect holds in float32 are
// float32 values widened to double.

// Fills `terms` with exp(l − max) and returns their sum.
double ExpTerms(const SoftmaxRule& rule, absl::Span<const double> logits,
                std::vector<double>& terms);

// The probability that belongs to one of the terms.
double Probability(const SoftmaxRule& rule, double term, double sum);

// Fills `q` with the probabilities.
void Softmax(const SoftmaxRule& rule, absl::Span<const double> logits, std::vector<double>& q);

// What log-softmax subtracts from a logit l: (l − max) − log_sum, all in float64 with exp and log
// correctly rounded, summed in the order of the span.
struct LogNormaliser {
  double max;
  double log_sum;

  double operator()(double logit) const { return (logit - max) - log_sum; }
};
LogNormaliser LogSoftmax(absl::Span<const double> logits);

// The same for a caller's logits, of which one at least is finite and others may be bad.
LogNormaliser LogSoftmaxOfRaw(absl::Span<const float> logits);

// A caller's logit, or −∞, which is what counts where on_bad_logits lets NaN or +∞ pass.
double WithoutBad(float logit);

// The smallest logit that is at least `ratio` times as likely as the largest, for dialects that
// compare logits: max + logf(ratio) in float32.
double LikelyLogit(double max, double ratio);

// −Σ q·log q in nats, with 0·log 0 = 0.
double EntropyOf(absl::Span<const double> q);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_SOFTMAX_H_
