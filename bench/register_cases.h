#ifndef LOGITCHAIN_BENCH_REGISTER_CASES_H_
#define LOGITCHAIN_BENCH_REGISTER_CASES_H_

#include <cstdint>
#include <vector>

#include "logitchain/bench/run_settings.h"

namespace logitchain {

// What cases are measured at.
struct Sizes {
  std::vector<int32_t> target_vocab_sizes;
  std::vector<int32_t> rule_vocab_sizes;
  std::vector<int32_t> batch_vocab_sizes;
  std::vector<int> batch_rows;
  std::vector<int> batch_threads;
  std::vector<int32_t> prompt_sizes;
  std::vector<int32_t> ks;
};

// Everything; one token of each with a small vocabulary; and what the tables show.
Sizes AllSizes();
Sizes SmokeSizes();
Sizes TableSizes();

// The vocabulary for which there are targets.
inline constexpr int32_t kTargetVocabSize = 151936;

// Registers with Google Benchmark, under the names
//   target/<chain>/<shape>/<vocabulary>
//   rule/<rule>/<shape>/<vocabulary>
//   batch/<vocabulary>/<rows>/<threads>
//   history/<rule>/<tokens>
//   top_k/<shape>/<k>
void RegisterCases(const Sizes& sizes, const RunSettings& settings);

}  // namespace logitchain

#endif  // LOGITCHAIN_BENCH_REGISTER_CASES_H_
