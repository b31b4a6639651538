#include "logitchain/bench/run_batch.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "benchmark/benchmark.h"
#include "logitchain/bench/chain_cases.h"
#include "logitchain/bench/measure.h"
#include "logitchain/bench/run_chain.h"
#include "logitchain/bench/run_settings.h"
#include "logitchain/bench/shapes.h"
#include "logitchain/bench/vector_max.h"
#include "logitchain/core/batch/batch_sampler.h"
#include "logitchain/core/batch/executor.h"
#include "logitchain/core/logits_matrix.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/tests/testing/executors.h"

namespace logitchain {
namespace {

constexpr double kMicro = 1e6;

// Batches that stand one after the other in memory and come in turn: of few rows there are several,
// so that no row stays in a core's own cache.
class Batches {
 public:
  Batches(int32_t vocab_size, int rows)
      : vocab_size_(vocab_size), rows_(rows), all_rows_(Covering(rows)) {
    LogitRows& source = SharedRows(Shape::kPeaked, vocab_size);
    logits_.reserve(all_rows_ * vocab_size_);
    for (size_t i = 0; i < all_rows_; ++i) {
      const auto row = source.Next();
      logits_.insert(logits_.end(), row.begin(), row.end());
    }
  }

  LogitsMatrix Next() {
    const auto batch =
        absl::MakeConstSpan(logits_).subspan(begin_ * vocab_size_, rows_ * vocab_size_);
    begin_ = (begin_ + rows_) % all_rows_;
    return LogitsMatrix::Of(batch, vocab_size_);
  }

 private:
  static size_t Covering(size_t rows) { return (LogitRows::kRows + rows - 1) / rows * rows; }

  size_t vocab_size_;
  size_t rows_;
  size_t all_rows_;
  std::vector<float> logits_;
  size_t begin_ = 0;
};

void PassOver(const LogitsMatrix& logits, Executor& executor) {
  executor.ParallelFor(logits.rows, [&logits](size_t i) {
    std::vector<float> unused;
    benchmark::DoNotOptimize(VectorMax(logits.Row(i, unused)));
  });
}

// On oneTBB, except where it cannot be tested.
std::shared_ptr<Executor> MakeExecutor(int threads) { return ExecutorKinds().back().make(threads); }

// A sampler with a chain for each row.
class Sequences {
 public:
  explicit Sequences(std::shared_ptr<Executor> executor) : sampler_(std::move(executor)) {}

  absl::Status Add(const BatchRun& run) {
    const absl::StatusOr<ChainText> text = ParseChainText(run.chain, "bench");
    if (!text.ok()) return text.status();
    const std::vector<TokenId> prompt = BenchPrompt(run.vocab_size, 64);
    for (int i = 0; i < run.rows; ++i) {
      auto chain = CreateChain(*text, BenchEnvironment(run.vocab_size));
      if (!chain.ok()) return chain.status();
      if (absl::Status status = (*chain)->Reset(prompt); !status.ok()) return status;
      const absl::StatusOr<SlotId> slot = sampler_.Add(*std::move(chain));
      if (!slot.ok()) return slot.status();
      slots_.push_back(*slot);
    }
    return absl::OkStatus();
  }

  absl::Status Sample(const LogitsMatrix& logits) {
    absl::Status status;
    for (const auto& sample : sampler_.Sample(logits, slots_)) status.Update(sample.status());
    return status;
  }

 private:
  BatchSampler sampler_;
  std::vector<SlotId> slots_;
};

absl::Status Run(benchmark::State& state, const BatchRun& run, const RunSettings& settings) {
  const std::shared_ptr<Executor> one_thread = MakeExecutor(1);
  const std::shared_ptr<Executor> threads = MakeExecutor(run.threads);
  Sequences one(one_thread);
  Sequences several(threads);
  absl::Status status = one.Add(run);
  status.Update(several.Add(run));
  if (!status.ok()) return status;

  Batches batches(run.vocab_size, run.rows);
  const auto sample = [&](Sequences& sequences) {
    return [&] { status.Update(sequences.Sample(batches.Next())); };
  };
  const auto pass = [&](Executor& executor) { return [&] { PassOver(batches.Next(), executor); }; };
  const Cost cost = MeasureInPasses(settings.seconds, sample(several), pass(*one_thread));
  const double ratio = MeasureRatio(settings.seconds, sample(one), sample(several));
  const double pass_ratio = MeasureRatio(settings.seconds, pass(*one_thread), pass(*threads));
  if (!status.ok()) return status;

  state.SetIterationTime(cost.call);
  state.counters["row_us"] = cost.call / run.rows * kMicro;
  state.counters["pass_us"] = cost.pass / run.rows * kMicro;
  state.counters["x_pass"] = cost.call / cost.pass;
  state.counters["x_one_thread"] = ratio;
  state.counters["pass_x_one_thread"] = pass_ratio;
  return absl::OkStatus();
}

}  // namespace

void RunBatch(benchmark::State& state, const BatchRun& run, const RunSettings& settings) {
  for (auto _ : state) {
    const absl::Status status = Run(state, run, settings);
    if (!status.ok()) return state.SkipWithError(status.ToString().c_str());
  }
}

}  // namespace logitchain
