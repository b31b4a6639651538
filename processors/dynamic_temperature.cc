#include "logitchain/processors/dynamic_temperature.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/arithmetic.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/transform.h"
#include "logitchain/processors/temperature.h"
#include "logitchain/proto/shape.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {
namespace {

template <typename Real>
Real LowTemperature(Real temperature, Real range) {
  return std::max(Real{0}, temperature - range);
}

template <typename Real>
Real TemperatureFor(Real temperature, Real range, Real exponent, absl::Span<const double> q) {
  const Real low = LowTemperature(temperature, range);
  const Real high = temperature + range;
  const Real max_entropy = -Log(Real{1} / static_cast<Real>(q.size()));
  return low + (high - low) * Pow(EntropyIn<Real>(q) / max_entropy, exponent);
}

// Whether every live logit divided by the temperature is finite.
bool CanDivide(Arithmetic arithmetic, absl::Span<const double> logits, double temperature) {
  return InArithmetic(arithmetic, [&](auto zero) {
    using Real = decltype(zero);
    const Real divisor = static_cast<Real>(temperature);
    return absl::c_all_of(logits, [divisor](double logit) {
      return std::isinf(logit) || std::isfinite(static_cast<Real>(logit) / divisor);
    });
  });
}

}  // namespace

double EntropyTemperature::For(Arithmetic arithmetic, absl::Span<const double> q) const {
  return InArithmetic(arithmetic, [&](auto zero) -> double {
    using Real = decltype(zero);
    return TemperatureFor(static_cast<Real>(temperature_), static_cast<Real>(range_),
                          static_cast<Real>(exponent_), q);
  });
}

double EntropyTemperature::Low(Arithmetic arithmetic) const {
  return InArithmetic(arithmetic, [&](auto zero) -> double {
    using Real = decltype(zero);
    return LowTemperature(static_cast<Real>(temperature_), static_cast<Real>(range_));
  });
}

absl::Status DynamicTemperature::Apply(const StepContext& step, LogitEditor& editor) const {
  if (editor.live() < 2) return absl::OkStatus();
  const double temperature =
      temperature_.For(step.dialect.arithmetic, editor.SortedProbabilities());
  if (!(temperature > 0)) return absl::OkStatus();
  editor.RewriteAll(
      [temperature](auto logit) { return logit / static_cast<decltype(logit)>(temperature); },
      /*keeps_order=*/true);
  return absl::OkStatus();
}

absl::Status DynamicGreedy::Apply(const StepContext& step, CandidateSelector& selector) const {
  if (selector.live() < 2) return absl::OkStatus();
  selector.Sort();
  const Arithmetic arithmetic = step.dialect.arithmetic;
  const double temperature = temperature_.For(arithmetic, selector.Probabilities());
  if (!(temperature > 0) || !CanDivide(arithmetic, selector.logits(), temperature)) {
    selector.KeepFirstMaximum();
  }
  return absl::OkStatus();
}

namespace {

void BuildDynamicTemperature(const DynamicTemperatureConfig& config, BuildContext& context) {
  if (config.range() <= 0) {
    return AddTemperature(config.temperature(), /*allow_small=*/std::nullopt, context);
  }
  const EntropyTemperature temperature(config.temperature(), config.range(), config.exponent());
  const bool reaches_zero = temperature.Low(context.dialect().arithmetic) <= 0;
  if (reaches_zero) context.Add(std::make_unique<DynamicGreedy>(temperature));
  context.Add(std::make_unique<DynamicTemperature>(temperature));
}

LOGITCHAIN_REGISTER_PROCESSOR(
    BuildDynamicTemperature,
    {.summary = "divides the logits by a temperature that follows their entropy",
     .stage = Stage::kTemperature,
     .keeps_argmax = true});

}  // namespace
}  // namespace logitchain
