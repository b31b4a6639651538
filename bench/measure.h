#ifndef LOGITCHAIN_BENCH_MEASURE_H_
#define LOGITCHAIN_BENCH_MEASURE_H_

#include "absl/functional/function_ref.h"

namespace logitchain {

// Median times, in seconds. A budget is the time that all calls together take, about; with 0 there
// is one call.
struct Cost {
  double call = 0;
  double pass = 0;
};

// Times `call`, and `pass` before and after it.
Cost MeasureInPasses(double budget, absl::FunctionRef<void()> call, absl::FunctionRef<void()> pass);

// How many times as long `a` takes as `b`; both are timed in turns, so that they meet the same
// noise.
double MeasureRatio(double budget, absl::FunctionRef<void()> a, absl::FunctionRef<void()> b);

}  // namespace logitchain

#endif  // LOGITCHAIN_BENCH_MEASURE_H_
