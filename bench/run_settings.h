#ifndef LOGITCHAIN_BENCH_RUN_SETTINGS_H_
#define LOGITCHAIN_BENCH_RUN_SETTINGS_H_

namespace logitchain {

// How long to measure.
struct RunSettings {
  double seconds = 0.1;      // For a case; 0: one token.
  int reference_tokens = 3;  // Odd.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_BENCH_RUN_SETTINGS_H_
