#ifndef LOGITCHAIN_BENCH_RUN_BATCH_H_
#define LOGITCHAIN_BENCH_RUN_BATCH_H_

#include <cstdint>
#include <string>

#include "benchmark/benchmark.h"
#include "logitchain/bench/run_settings.h"

namespace logitchain {

// One chain for each row of a batch of peaked logits.
struct BatchRun {
  std::string chain;
  int32_t vocab_size;
  int rows;
  int threads;
};

// Measures what a batch costs and sets the counters
//   row_us             the batch over its rows,
//   pass_us            one thread's vectorised maximum over a row of the same batch,
//   x_pass             row_us over that,
//   x_one_thread       how many times as fast as with one thread, measured in turns with it,
//   pass_x_one_thread  the same of the vectorised maximum, which is what the machine's memory
//   allows.
void RunBatch(benchmark::State& state, const BatchRun& run, const RunSettings& settings);

}  // namespace logitchain

#endif  // LOGITCHAIN_BENCH_RUN_BATCH_H_
