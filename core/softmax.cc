#include "logitchain/core/softmax.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/numerics/exact_exp.h"
#include "logitchain/core/numerics/exact_exp_simd.h"
#include "logitchain/core/numerics/float_exp.h"

namespace logitchain {
namespace {

double Max(absl::Span<const double> logits) { return *absl::c_max_element(logits); }

// For float32 logits the float64 difference rounds to what a float32 subtraction gives.
double FloatTerm(SoftmaxRule::Term kind, double difference) {
  const auto x = static_cast<float>(difference);
  return kind == SoftmaxRule::Term::kGlibcFloat ? GlibcExpf(x) : RoundedExpf(x);
}

template <typename Real>
double RunningSum(absl::Span<const double> terms) {
  Real sum = 0;
  for (const double term : terms) sum += static_cast<Real>(term);
  return sum;
}

double SumOfDoubleExponentials(absl::Span<const double> logits, double max) {
  double sum = 0;
  for (const double logit : logits) sum += ExactExp(static_cast<float>(logit - max));
  return static_cast<float>(sum);
}

// The terms go through a small buffer, so that a step needs no room for all of them.
template <typename Logits, typename Widen>
LogNormaliser SumInParts(Logits logits, double max, Widen widen) {
  constexpr size_t kPart = 512;
  double buffer[kPart];
  double sum = 0;
  for (size_t begin = 0; begin < logits.size(); begin += kPart) {
    const Logits part = logits.subspan(begin, kPart);
    const absl::Span<double> terms(buffer, part.size());
    absl::c_transform(part, terms.begin(), [&](auto logit) { return widen(logit) - max; });
    ExactExp(terms, terms);
    for (const double term : terms) sum += term;
  }
  return {max, ExactLog(sum)};
}

}  // namespace

double ExpTerms(const SoftmaxRule& rule, absl::Span<const double> logits,
                std::vector<double>& terms) {
  const double max = Max(logits);
  terms.resize(logits.size());
  if (rule.term == SoftmaxRule::Term::kExactDouble) {
    absl::c_transform(logits, terms.begin(), [max](double logit) { return logit - max; });
    ExactExp(terms, absl::MakeSpan(terms));
  } else {
    absl::c_transform(logits, terms.begin(),
                      [&](double logit) { return FloatTerm(rule.term, logit - max); });
  }
  switch (rule.sum) {
    case SoftmaxRule::Sum::kDouble:
      return RunningSum<double>(terms);
    case SoftmaxRule::Sum::kFloat:
      return RunningSum<float>(terms);
    case SoftmaxRule::Sum::kDoubleExponentials:
      return SumOfDoubleExponentials(logits, max);
  }
  return 0;
}

double Probability(const SoftmaxRule& rule, double term, double sum) {
  if (rule.scale == SoftmaxRule::Scale::kReciprocal) {
    return static_cast<float>(term * static_cast<float>(1.0 / sum));
  }
  const double quotient = term / sum;
  return rule.term == SoftmaxRule::Term::kExactDouble ? quotient : static_cast<float>(quotient);
}

void Softmax(const SoftmaxRule& rule, absl::Span<const double> logits, std::vector<double>& q) {
  const double sum = ExpTerms(rule, logits, q);
  for (double& value : q) value = Probability(rule, value, sum);
}

LogNormaliser LogSoftmax(absl::Span<const double> logits) {
  return SumInParts(logits, Max(logits), [](double logit) { return logit; });
}

LogNormaliser LogSoftmaxOfRaw(absl::Span<const float> logits) {
  double max = -std::numeric_limits<double>::infinity();
  for (const float logit : logits) max = std::max(max, WithoutBad(logit));
  return SumInParts(logits, max, WithoutBad);
}

double WithoutBad(float logit) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return logit < kInfinity ? logit : -kInfinity;
}

double LikelyLogit(double max, double ratio) {
  return static_cast<float>(max) + RoundedLogf(static_cast<float>(ratio));
}

double EntropyOf(absl::Span<const double> q) {
  // Subtracting gives +0 for a one-hot distribution, where a negated sum would give −0.
  double entropy = 0;
  for (const double value : q) {
    if (value > 0) entropy -= value * ExactLog(value);
  }
  return entropy;
}

}  // namespace logitchain
