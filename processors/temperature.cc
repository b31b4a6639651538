#include "logitchain/processors/temperature.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/transform.h"
#include "logitchain/proto/shape.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status Temperature::Apply(const StepContext& step, LogitEditor& editor) const {
  editor.DivideAll(temperature_, step.dialect.temperature.by_reciprocal);
  return absl::OkStatus();
}

absl::Status KeepFirstMaximum::Apply(const StepContext&, CandidateSelector& selector) const {
  selector.KeepFirstMaximum();
  return absl::OkStatus();
}

namespace {

bool IsGreedy(const TemperatureRule& rule, double temperature) {
  return rule.greedy_inclusive ? temperature <= rule.greedy_below : temperature < rule.greedy_below;
}

}  // namespace

void AddTemperature(double temperature, std::optional<bool> allow_small, BuildContext& context) {
  const TemperatureRule& rule = context.dialect().temperature;
  if (IsGreedy(rule, temperature)) {
    if (rule.greedy == TemperatureRule::Greedy::kNoDraw) return context.MakeGreedy();
    return context.Add(std::make_unique<KeepFirstMaximum>());
  }
  if (temperature < rule.smallest && !allow_small.value_or(false)) {
    return context.AddError(
        "temperature",
        absl::StrCat("is ", temperature, "; this dialect raises a temperature in [",
                     rule.greedy_below, ", ", rule.smallest, ") to ", rule.smallest, ": ",
                     allow_small ? "say so with allow_small_temperature: true, or " : "",
                     "give another"));
  }
  if (temperature == 1) return;
  context.Add(std::make_unique<Temperature>(std::max(temperature, rule.smallest)));
}

namespace {

void BuildTemperature(const TemperatureConfig& config, BuildContext& context) {
  AddTemperature(config.temperature(), config.allow_small_temperature(), context);
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildTemperature,
                              {.summary = "divides the logits; a temperature of 0 is greedy",
                               .stage = Stage::kTemperature,
                               .keeps_argmax = true});

}  // namespace
}  // namespace logitchain
