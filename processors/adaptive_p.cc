#include "logitchain/processors/adaptive_p.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/core/arithmetic.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/processors/steered_draw.h"
#include "logitchain/proto/terminals.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {
namespace {

constexpr double kWidth = 0.3;
constexpr double kPeak = 5;
constexpr double kSharpness = 10;

template <typename Real>
Real Aim(double target, double probability_sum, double weight_sum) {
  const Real average = static_cast<Real>(probability_sum) / static_cast<Real>(weight_sum);
  return std::clamp(2 * static_cast<Real>(target) - average, Real{0}, Real{1});
}

template <typename Real>
Real Closeness(double p, Real aim) {
  const Real per_width = 1 / static_cast<Real>(kWidth);
  const Real distance = std::abs((static_cast<Real>(p) - aim) * per_width);
  return static_cast<Real>(kPeak) -
         static_cast<Real>(kSharpness) * distance * distance / (1 + distance);
}

}  // namespace

AdaptiveP::AdaptiveP(double target, double decay, const Dialect& dialect)
    : target_(target), decay_(decay), dialect_(dialect), sums_(FirstSums()) {}

absl::Status AdaptiveP::Distribution(const StepContext&, CandidateSelector& candidates,
                                     std::vector<double>& q) const {
  std::vector<double> reshaped;
  Reshape(candidates.logits(), candidates.Probabilities(), reshaped);
  SteeredDistribution(dialect_, reshaped, q);
  return absl::OkStatus();
}

absl::StatusOr<Sample> AdaptiveP::Draw(const StepContext& step, CandidateSelector& candidates) {
  const absl::Span<const double> p = candidates.Probabilities();
  Reshape(candidates.logits(), p, reshaped_);
  SteeredDistribution(dialect_, reshaped_, q_);
  drawn_.Set(candidates.ids(), p);
  const SteeredChoice choice = DrawSteered(dialect_, reshaped_, q_, step.uniforms, scratch_);
  return Sample{.token = candidates.ids()[choice.position],
                .kept = candidates.live(),
                .probability = q_[choice.position],
                .uniform = choice.uniform};
}

absl::Status AdaptiveP::Accept(TokenId id) {
  earlier_sums_.push_back(sums_);
  const std::optional<double> p = drawn_.Of(id);
  if (p.value_or(0) > 0) sums_ = Moved(*p);
  drawn_.Clear();
  return absl::OkStatus();
}

absl::Status AdaptiveP::Rollback(int32_t n) {
  drawn_.Clear();
  if (n == 0) return absl::OkStatus();
  sums_ = earlier_sums_[earlier_sums_.size() - n];
  earlier_sums_.resize(earlier_sums_.size() - n);
  return absl::OkStatus();
}

void AdaptiveP::Reset() {
  drawn_.Clear();
  earlier_sums_.clear();
  sums_ = FirstSums();
}

absl::Status AdaptiveP::SkipAhead(uint64_t, UniformGenerator&) {
  return absl::FailedPreconditionError(
      "its draws depend on the tokens before them; such a chain cannot skip ahead");
}

AdaptiveP::Sums AdaptiveP::FirstSums() const {
  return InArithmetic(dialect_.arithmetic, [&](auto zero) -> Sums {
    using Real = decltype(zero);
    const Real newest = 1 - static_cast<Real>(decay_);
    return {static_cast<Real>(target_) / newest, 1 / newest};
  });
}

AdaptiveP::Sums AdaptiveP::Moved(double probability) const {
  return InArithmetic(dialect_.arithmetic, [&](auto zero) -> Sums {
    using Real = decltype(zero);
    const auto decay = static_cast<Real>(decay_);
    return {static_cast<Real>(probability) + decay * static_cast<Real>(sums_.probability),
            1 + decay * static_cast<Real>(sums_.weight)};
  });
}

void AdaptiveP::Reshape(absl::Span<const double> logits, absl::Span<const double> p,
                        std::vector<double>& reshaped) const {
  reshaped.assign(logits.begin(), logits.end());
  if (target_ < 0) return;
  InArithmetic(dialect_.arithmetic, [&](auto zero) {
    using Real = decltype(zero);
    const Real aim = Aim<Real>(target_, sums_.probability, sums_.weight);
    for (size_t i = 0; i < p.size(); ++i) {
      if (logits[i] != kRemoved) reshaped[i] = Closeness<Real>(p[i], aim);
    }
  });
}

namespace {

void BuildAdaptiveP(const AdaptivePConfig& config, BuildContext& context) {
  context.SetTerminal(
      std::make_unique<AdaptiveP>(config.target(), config.decay(), context.dialect()));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildAdaptiveP,
                              {.summary = "draws, and favours tokens about as likely as a target",
                               .stage = Stage::kDraw});

}  // namespace
}  // namespace logitchain
