#include "logitchain/bench/run_chain.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmark/benchmark.h"
#include "logitchain/bench/chain_cases.h"
#include "logitchain/bench/measure.h"
#include "logitchain/bench/reference_seconds.h"
#include "logitchain/bench/run_settings.h"
#include "logitchain/bench/shapes.h"
#include "logitchain/bench/vector_max.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"

namespace logitchain {
namespace {

constexpr double kMicro = 1e6;

// The output is taken back at this length, so that the history keeps about the size it begins with.
constexpr int32_t kMaxOutput = 1000;

absl::Status SampleNext(Chain& chain, LogitRows& rows) {
  const auto sample = chain.Sample(rows.Next());
  if (!sample.ok()) return sample.status();
  if (chain.history().output().size() < kMaxOutput) return absl::OkStatus();
  return chain.Rollback(kMaxOutput);
}

absl::Status Run(benchmark::State& state, const ChainRun& run, const RunSettings& settings) {
  const absl::StatusOr<ChainText> text = ParseChainText(run.chain, "bench");
  if (!text.ok()) return text.status();
  auto chain = CreateChain(*text, BenchEnvironment(run.vocab_size));
  if (!chain.ok()) return chain.status();
  const std::vector<TokenId> prompt = BenchPrompt(run.vocab_size, run.prompt_size);
  if (absl::Status status = (*chain)->Reset(prompt); !status.ok()) return status;

  LogitRows& rows = SharedRows(run.shape, run.vocab_size);
  absl::Status status;
  const Cost cost = MeasureInPasses(
      settings.seconds, [&] { status.Update(SampleNext(**chain, rows)); },
      [&] { benchmark::DoNotOptimize(VectorMax(rows.Next())); });
  if (!status.ok()) return status;
  state.SetIterationTime(cost.call);
  state.counters["pass_us"] = cost.pass * kMicro;
  state.counters["x_pass"] = cost.call / cost.pass;

  const std::optional<double> reference =
      ReferenceSeconds(text->config, rows, run.vocab_size, prompt, settings.reference_tokens);
  if (!reference) return absl::OkStatus();
  state.counters["reference_us"] = *reference * kMicro;
  state.counters["x_reference"] = cost.call / *reference;
  return absl::OkStatus();
}

}  // namespace

void RunChain(benchmark::State& state, const ChainRun& run, const RunSettings& settings) {
  for (auto _ : state) {
    const absl::Status status = Run(state, run, settings);
    if (!status.ok()) return state.SkipWithError(status.ToString().c_str());
  }
}

LogitRows& SharedRows(Shape shape, int32_t vocab_size) {
  static auto* const kRows = new std::map<std::pair<Shape, int32_t>, std::unique_ptr<LogitRows>>;
  std::unique_ptr<LogitRows>& rows = (*kRows)[{shape, vocab_size}];
  if (rows == nullptr) rows = std::make_unique<LogitRows>(shape, vocab_size);
  return *rows;
}

std::vector<TokenId> BenchPrompt(int32_t vocab_size, int32_t size) {
  Pcg32 generator(7);
  std::vector<TokenId> prompt(size);
  for (TokenId& id : prompt) id = static_cast<TokenId>(generator.NextUniform() * vocab_size);
  return prompt;
}

}  // namespace logitchain
