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
#include "logitchain/core/batch/tbb_executor.h"
#include "logitchain/core/logits_matrix.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"

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

void PassOver(const LogitsMatrix& logits) {
  std::vector<float> unused;
  for (size_t i = 0; i < logits.rows; ++i) {
    benchmark::DoNotOptimize(VectorMax(logits.Row(i, unused)));
  }
}

// A sampler with a chain for each row.
class Sequences {
 public:
  explicit Sequences(int threads) : sampler_(std::make_shared<TbbExecutor>(threads)) {}

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
  Sequences one(1);
  Sequences several(run.threads);
  absl::Status status = one.Add(run);
  status.Update(several.Add(run));
  if (!status.ok()) return status;

  Batches batches(run.vocab_size, run.rows);
  const auto sample = [&](Sequences& sequences) {
    return [&] { status.Update(sequences.Sample(batches.Next())); };
  };
  const Cost cost =
      MeasureInPasses(settings.seconds, sample(several), [&] { PassOver(batches.Next()); });
  const double ratio = MeasureRatio(settings.seconds, sample(one), sample(several));
  if (!status.ok()) return status;

  state.SetIterationTime(cost.call);
  state.counters["row_us"] = cost.call / run.rows * kMicro;
  state.counters["pass_us"] = cost.pass / run.rows * kMicro;
  state.counters["x_pass"] = cost.call / cost.pass;
  state.counters["x_one_thread"] = ratio;
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
