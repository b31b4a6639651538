#ifndef LOGITCHAIN_PROCESSORS_TEMPERATURE_H_
#define LOGITCHAIN_PROCESSORS_TEMPERATURE_H_

#include <optional>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/transform.h"
#include "logitchain/registry/build_context.h"

namespace logitchain {

// Divides every logit by a positive temperature, or multiplies it by the rounded reciprocal where
// the dialect does. A quotient that overflows is an error.
class Temperature final : public Cloneable<Transform, Temperature> {
 public:
  explicit Temperature(double temperature) : temperature_(temperature) {}

  absl::Status Apply(const StepContext& step, LogitEditor& editor) const override;

 private:
  double temperature_;
};

// What a temperature of 0 is in dialects whose draw goes on as always: only the first maximum
// stays.
class KeepFirstMaximum final : public Cloneable<Filter, KeepFirstMaximum> {
 public:
  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;
};

// Adds what a fixed temperature is in the dialect: a Temperature, what makes the draw greedy, or
// nothing. The config's `temperature` is in error where the dialect would raise it, unless
// `allow_small`; nullopt is for rules that have no such field.
void AddTemperature(double temperature, std::optional<bool> allow_small, BuildContext& context);

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_TEMPERATURE_H_
