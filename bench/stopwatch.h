#ifndef LOGITCHAIN_BENCH_STOPWATCH_H_
#define LOGITCHAIN_BENCH_STOPWATCH_H_

#include <chrono>
#include <vector>

#include "absl/functional/function_ref.h"

namespace logitchain {

// How long a call takes, in seconds.
double SecondsOf(absl::FunctionRef<void()> call);

// The value in the middle; there must be one.
double Median(std::vector<double> values);

// A moment this many seconds from now.
class Deadline {
 public:
  explicit Deadline(double seconds);

  bool IsOver() const;

 private:
  std::chrono::steady_clock::time_point end_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_BENCH_STOPWATCH_H_
