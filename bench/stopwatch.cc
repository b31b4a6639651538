#include "logitchain/bench/stopwatch.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "absl/functional/function_ref.h"

namespace logitchain {
namespace {

using Clock = std::chrono::steady_clock;  // Never set back.
using Seconds = std::chrono::duration<double>;

}  // namespace

double SecondsOf(absl::FunctionRef<void()> call) {
  const Clock::time_point start = Clock::now();
  call();
  return Seconds(Clock::now() - start).count();
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Deadline::Deadline(double seconds)
    : end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(seconds))) {}

bool Deadline::IsOver() const { return Clock::now() >= end_; }

}  // namespace logitchain
