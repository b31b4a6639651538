#ifndef LOGITCHAIN_BENCH_RUN_CHAIN_H_
#define LOGITCHAIN_BENCH_RUN_CHAIN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "logitchain/bench/run_settings.h"
#include "logitchain/bench/shapes.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// One chain, one row at a time.
struct ChainRun {
  std::string chain;
  Shape shape;
  int32_t vocab_size;
  int32_t prompt_size = 64;
};

// Measures what a token costs and sets the counters
//   pass_us       the vectorised maximum over the same rows,
//   x_pass        the token over that,
//   reference_us  the plain reference, if it has the rules,
//   x_reference   the token over that.
// The time of an iteration is the median of all tokens that it takes.
void RunChain(benchmark::State& state, const ChainRun& run, const RunSettings& settings);

// Rows of logits, made once.
LogitRows& SharedRows(Shape shape, int32_t vocab_size);

// Random tokens.
std::vector<TokenId> BenchPrompt(int32_t vocab_size, int32_t size);

}  // namespace logitchain

#endif  // LOGITCHAIN_BENCH_RUN_CHAIN_H_
