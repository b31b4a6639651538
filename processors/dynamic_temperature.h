#ifndef LOGITCHAIN_PROCESSORS_DYNAMIC_TEMPERATURE_H_
#define LOGITCHAIN_PROCESSORS_DYNAMIC_TEMPERATURE_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/transform.h"

namespace logitchain {

// The temperature of dynamic temperature, for softmax q over n ≥ 2 candidates:
//
//   low = max(0, t − r)      high = t + r
//   H = −Σ q·log q           H_max = −log(1 / n)
//   T = low + (high − low) · (H / H_max) ^ exponent
//
// all in the dialect's arithmetic, the sum in the order of the span. So T = low where one candidate
// is certain and T = high where all are equally likely. n counts places: where removed candidates
// keep one, H does not reach H_max. Source: kalomaze, "Dynamic Temperature Sampling" (2023), as
// llama.cpp has it.
class EntropyTemperature {
 public:
  EntropyTemperature(double temperature, double range, double exponent)
      : temperature_(temperature), range_(range), exponent_(exponent) {}

  double For(Arithmetic arithmetic, absl::Span<const double> q) const;

  double Low(Arithmetic arithmetic) const;

 private:
  double temperature_;
  double range_;
  double exponent_;
};

// Divides every logit by the temperature, if that is positive. With one candidate that is not
// removed it does nothing.
class DynamicTemperature final : public Cloneable<Transform, DynamicTemperature> {
 public:
  explicit DynamicTemperature(const EntropyTemperature& temperature) : temperature_(temperature) {}

  absl::Status Apply(const StepContext& step, LogitEditor& editor) const override;

 private:
  EntropyTemperature temperature_;
};

// Where `low` is 0, goes before DynamicTemperature: if the temperature comes out as 0, or so small
// that a quotient would overflow, only the first maximum stays. The draw goes on as always.
class DynamicGreedy final : public Cloneable<Filter, DynamicGreedy> {
 public:
  explicit DynamicGreedy(const EntropyTemperature& temperature) : temperature_(temperature) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  EntropyTemperature temperature_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_DYNAMIC_TEMPERATURE_H_
