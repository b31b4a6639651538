#include "logitchain/processors/top_n_sigma.h"

#include <cmath>
#include <cstdint>
#include <memory>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/arithmetic.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {
namespace {

template <typename Real>
Real Mean(absl::Span<const double> logits, int32_t live) {
  Real sum = 0;
  for (const double logit : logits) {
    if (logit != kRemoved) sum += static_cast<Real>(logit);
  }
  return sum / static_cast<Real>(live);
}

template <typename Real>
Real StandardDeviation(absl::Span<const double> logits, int32_t live) {
  const Real mean = Mean<Real>(logits, live);
  Real sum = 0;
  for (const double logit : logits) {
    if (logit == kRemoved) continue;
    const double distance = static_cast<Real>(logit) - mean;
    sum = static_cast<Real>(static_cast<double>(sum) + distance * distance);
  }
  return std::sqrt(sum / static_cast<Real>(live));
}

// The smallest logit that stays.
double Limit(Arithmetic arithmetic, absl::Span<const double> logits, int32_t live, double n) {
  return InArithmetic(arithmetic, [&](auto zero) -> double {
    using Real = decltype(zero);
    const Real distance = static_cast<Real>(n) * StandardDeviation<Real>(logits, live);
    return static_cast<Real>(*absl::c_max_element(logits)) - distance;
  });
}

}  // namespace

absl::Status TopNSigma::Apply(const StepContext& step, CandidateSelector& selector) const {
  if (selector.TryKeepTopSigma(n_, min_keep_)) return absl::OkStatus();
  if (selector.size() < 2) return absl::OkStatus();
  const absl::Span<const double> logits = selector.logits();
  const double limit = Limit(step.dialect.arithmetic, logits, selector.live(), n_);
  // Where logits are so large that their sum overflows, the limit is −∞ or NaN, and all stay.
  const auto is_below = [limit](double logit) { return logit < limit; };
  const auto stays = static_cast<int64_t>(logits.size()) - absl::c_count_if(logits, is_below);
  if (stays < min_keep_) {
    selector.KeepLargest(min_keep_, TopKConfig::EXACTLY_K);
  } else {
    selector.RemoveIf([&](size_t position) { return is_below(logits[position]); });
  }
  return absl::OkStatus();
}

namespace {

void BuildTopNSigma(const TopNSigmaConfig& config, BuildContext& context) {
  if (config.n() <= 0) return;
  context.Add(std::make_unique<TopNSigma>(config.n(), config.min_keep()));
}

LOGITCHAIN_REGISTER_PROCESSOR(
    BuildTopNSigma, {.summary = "keeps the logits within n standard deviations of the largest",
                     .stage = Stage::kTopNSigma,
                     .keeps_argmax = true});

}  // namespace
}  // namespace logitchain
