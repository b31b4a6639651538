#include "logitchain/bench/register_cases.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "benchmark/benchmark.h"
#include "logitchain/bench/chain_cases.h"
#include "logitchain/bench/run_batch.h"
#include "logitchain/bench/run_chain.h"
#include "logitchain/bench/run_settings.h"
#include "logitchain/bench/shapes.h"

namespace logitchain {
namespace {

// Rules whose cost might grow with the history; each sees all of it.
const struct {
  absl::string_view name;
  absl::string_view config;
} kHistoryRules[] = {
    {"repetition_penalty", "repetition_penalty { penalty: 1.1 }"},
    {"presence_frequency_penalty",
     "presence_frequency_penalty { presence: 0.2 frequency: 0.1 scope: PROMPT_AND_OUTPUT }"},
    {"no_repeat_ngram", "no_repeat_ngram { size: 3 }"},
    {"dry", "dry { multiplier: 0.8 }"},
};

// One iteration: each case takes as many tokens as its time allows, and finds the median itself.
void Register(const std::string& name, std::function<void(benchmark::State&)> run) {
  benchmark::RegisterBenchmark(name.c_str(), std::move(run))
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

void RegisterChain(const std::string& name, const ChainRun& run, const RunSettings& settings) {
  Register(name, [run, settings](benchmark::State& state) { RunChain(state, run, settings); });
}

void RegisterChains(absl::string_view group, const std::vector<ChainCase>& cases,
                    const std::vector<int32_t>& vocab_sizes, const RunSettings& settings) {
  for (const ChainCase& chain : cases) {
    for (const Shape shape : chain.shapes) {
      for (const int32_t vocab_size : vocab_sizes) {
        RegisterChain(absl::StrCat(group, "/", chain.name, "/", NameOf(shape), "/", vocab_size),
                      {.chain = chain.chain, .shape = shape, .vocab_size = vocab_size}, settings);
      }
    }
  }
}

void RegisterBatches(const Sizes& sizes, const RunSettings& settings) {
  for (const int32_t vocab_size : sizes.batch_vocab_sizes) {
    for (const int rows : sizes.batch_rows) {
      for (const int threads : sizes.batch_threads) {
        const BatchRun run = {DefaultChain(), vocab_size, rows, threads};
        Register(absl::StrCat("batch/", vocab_size, "/", rows, "/", threads),
                 [run, settings](benchmark::State& state) { RunBatch(state, run, settings); });
      }
    }
  }
}

void RegisterHistories(const Sizes& sizes, int32_t vocab_size, const RunSettings& settings) {
  for (const auto& rule : kHistoryRules) {
    for (const int32_t prompt_size : sizes.prompt_sizes) {
      RegisterChain(absl::StrCat("history/", rule.name, "/", prompt_size),
                    {.chain = absl::StrCat("processors { ", rule.config, " } draw { greedy {} }"),
                     .shape = Shape::kPeaked,
                     .vocab_size = vocab_size,
                     .prompt_size = prompt_size},
                    settings);
    }
  }
}

void RegisterKs(const Sizes& sizes, int32_t vocab_size, const RunSettings& settings) {
  for (const Shape shape : {Shape::kPeaked, Shape::kFlat}) {
    for (const int32_t k : sizes.ks) {
      RegisterChain(absl::StrCat("top_k/", NameOf(shape), "/", k),
                    {.chain = absl::StrCat("processors { top_k { k: ", k, " } } draw { seed: 42 }"),
                     .shape = shape,
                     .vocab_size = vocab_size},
                    settings);
    }
  }
}

}  // namespace

Sizes AllSizes() {
  const std::vector<int32_t> vocab_sizes = {32000, 128256, 151936, 262144};
  return {.target_vocab_sizes = {1000, 8000, 32000, 128256, 151936, 262144},
          .rule_vocab_sizes = vocab_sizes,
          .batch_vocab_sizes = vocab_sizes,
          .batch_rows = {1, 4, 16, 64, 256},
          .batch_threads = {1, 2},
          .prompt_sizes = {16, 64, 256, 1024, 4096, 16384, 65536},
          .ks = {1, 4, 16, 40, 100, 400, 1600, 6400, 25600, 102400}};
}

Sizes SmokeSizes() {
  return {.target_vocab_sizes = {2000},
          .rule_vocab_sizes = {2000},
          .batch_vocab_sizes = {2000},
          .batch_rows = {1, 3},
          .batch_threads = {1, 2},
          .prompt_sizes = {64},
          .ks = {40}};
}

Sizes TableSizes() {
  return {.target_vocab_sizes = {kTargetVocabSize},
          .rule_vocab_sizes = {kTargetVocabSize},
          .batch_vocab_sizes = {kTargetVocabSize},
          .batch_rows = {64},
          .batch_threads = {2}};
}

void RegisterCases(const Sizes& sizes, const RunSettings& settings) {
  RegisterChains("target", TargetCases(), sizes.target_vocab_sizes, settings);
  RegisterChains("rule", RuleCases(), sizes.rule_vocab_sizes, settings);
  RegisterBatches(sizes, settings);
  // The largest that the smoke run has, and the one that targets are for otherwise.
  const int32_t vocab_size = std::min(kTargetVocabSize, sizes.target_vocab_sizes.back());
  RegisterHistories(sizes, vocab_size, settings);
  RegisterKs(sizes, vocab_size, settings);
}

}  // namespace logitchain
