#include "logitchain/core/draw.h"

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/softmax.h"

namespace logitchain {
namespace {

// The first position with a positive weight whose running sum passes, if any does.
template <typename Real, typename Passes>
std::optional<size_t> FirstPassing(absl::Span<const double> weights, Passes passes) {
  Real sum = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    sum += static_cast<Real>(weights[i]);
    if (passes(sum)) return i;
  }
  return std::nullopt;
}

size_t LastPositive(absl::Span<const double> weights) {
  size_t last = weights.size() - 1;
  while (weights[last] == 0) --last;
  return last;
}

std::optional<size_t> Walk(DrawRule::Walk walk, absl::Span<const double> weights, double sum,
                           double u) {
  switch (walk) {
    case DrawRule::Walk::kNormalisedDouble:
      return FirstPassing<double>(weights, [u](double run) { return u < run; });
    case DrawRule::Walk::kNormalisedFloat:
      return FirstPassing<float>(weights, [u](float run) { return u <= run; });
    case DrawRule::Walk::kUnnormalised:
      return FirstPassing<double>(weights, [u, sum](double run) { return run >= sum * u; });
  }
  return std::nullopt;
}

}  // namespace

size_t FirstMaximum(absl::Span<const double> logits) {
  return absl::c_max_element(logits) - logits.begin();
}

void FinalDistribution(const DrawRule& rule, absl::Span<const double> logits,
                       std::vector<double>& q) {
  Softmax(rule.softmax, logits, q);
}

Dart ThrowDart(const DrawRule& rule, absl::Span<const double> logits, double u,
               std::vector<double>& q) {
  const double sum = ExpTerms(rule.softmax, logits, q);
  const bool normalised = rule.walk != DrawRule::Walk::kUnnormalised;
  if (normalised) {
    for (double& term : q) term = Probability(rule.softmax, term, sum);
  }
  const std::optional<size_t> passing = Walk(rule.walk, q, sum, u);
  const size_t position = passing ? *passing : LastPositive(q);
  const double weight = q[position];
  return {position, normalised ? weight : Probability(rule.softmax, weight, sum), !passing};
}

}  // namespace logitchain
