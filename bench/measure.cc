#include "logitchain/bench/measure.h"

#include <cstddef>
#include <vector>

#include "absl/functional/function_ref.h"
#include "logitchain/bench/stopwatch.h"

namespace logitchain {
namespace {

// Passes are short: so much of the budget, and this often at least.
constexpr double kPassShare = 0.1;
constexpr size_t kMinPasses = 160;

// Before times count, `pass` runs this often: a long call before it has let others drive the logits
// out of the shared cache, and the unit is without that.
constexpr int kWarmPasses = 64;

void TimePasses(double budget, absl::FunctionRef<void()> pass, std::vector<double>& seconds) {
  if (budget == 0) return seconds.push_back(SecondsOf(pass));
  for (int i = 0; i < kWarmPasses; ++i) pass();
  const size_t min_size = seconds.size() + kMinPasses;
  const Deadline deadline(budget * kPassShare);
  while (seconds.size() < min_size || !deadline.IsOver()) seconds.push_back(SecondsOf(pass));
}

}  // namespace

Cost MeasureInPasses(double budget, absl::FunctionRef<void()> call,
                     absl::FunctionRef<void()> pass) {
  std::vector<double> passes;
  std::vector<double> calls;
  if (budget > 0) call();  // What is allocated once is not part of the cost.
  TimePasses(budget, pass, passes);
  const Deadline deadline(budget);
  do {
    calls.push_back(SecondsOf(call));
  } while (!deadline.IsOver());
  TimePasses(budget, pass, passes);
  return {.call = Median(calls), .pass = Median(passes)};
}

double MeasureRatio(double budget, absl::FunctionRef<void()> a, absl::FunctionRef<void()> b) {
  std::vector<double> a_seconds;
  std::vector<double> b_seconds;
  const Deadline deadline(budget);
  do {
    a_seconds.push_back(SecondsOf(a));
    b_seconds.push_back(SecondsOf(b));
  } while (!deadline.IsOver());
  return Median(a_seconds) / Median(b_seconds);
}

}  // namespace logitchain
