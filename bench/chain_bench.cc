// What one token costs, chain by chain: the rows of bench/README.md, each rule alone, and how the
// cost grows. `x_pass` is the time over that of one vectorised maximum over the same logits, taken
// in the same run; `x_reference` over the plain reference.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "benchmark/benchmark.h"
#include "logitchain/bench/shapes.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"

namespace logitchain {
namespace {

struct ChainCase {
  std::string name;
  std::string config;
  std::vector<Shape> shapes;
};

const char* NameOf(Shape shape) {
  switch (shape) {
    case Shape::kPeaked:
      return "peaked";
    case Shape::kMid:
      return "mid";
    case Shape::kFlat:
      return "flat";
  }
  return "";
}

const std::vector<ChainCase>& Targets() {
  static const auto* const kCases = new std::vector<ChainCase>{
      {"greedy",
       "processors { repetition_penalty { penalty: 1.1 window: 64 } } draw { greedy {} }",
       {Shape::kPeaked}},
      {"default",
       "processors { repetition_penalty { penalty: 1.1 window: 64 } } "
       "processors { temperature { temperature: 0.8 } } processors { top_k { k: 40 } } "
       "processors { top_p { p: 0.95 } } processors { min_p { p: 0.05 } } draw { seed: 42 }",
       {Shape::kPeaked}},
      {"top_p",
       "processors { top_p { p: 0.95 } } draw { seed: 42 }",
       {Shape::kPeaked, Shape::kMid, Shape::kFlat}},
      {"min_p",
       "processors { temperature { temperature: 0.8 } } processors { min_p { p: 0.05 } } "
       "draw { seed: 42 }",
       {Shape::kPeaked, Shape::kFlat}},
      {"temperature",
       "processors { temperature { temperature: 0.8 } } draw { seed: 42 }",
       {Shape::kPeaked, Shape::kFlat}},
      {"typical",
       "processors { typical { p: 0.95 } } draw { seed: 42 }",
       {Shape::kPeaked, Shape::kFlat}},
      {"top_n_sigma", "processors { top_n_sigma { n: 1 } } draw { seed: 42 }", {Shape::kPeaked}},
  };
  return *kCases;
}

std::vector<TokenId> Prompt(int32_t vocab_size, int32_t length) {
  Pcg32 generator(7);
  std::vector<TokenId> prompt(length);
  for (TokenId& id : prompt) id = static_cast<TokenId>(generator.NextUniform() * vocab_size);
  return prompt;
}

void RunChain(benchmark::State& state, const std::string& config, Shape shape, int32_t vocab_size) {
  const auto text = ParseChainText(config, "bench");
  const auto chain = CreateChain(*text, {.vocab_size = vocab_size}).value();
  LogitRows rows(shape, vocab_size);
  const double pass = PassSeconds(rows);
  if (!chain->Reset(Prompt(vocab_size, 64)).ok()) return state.SkipWithError("bad prompt");
  std::vector<double> seconds;
  for (auto _ : state) {
    const absl::Time start = absl::Now();
    const absl::StatusOr<Sample> sample = chain->Sample(rows.Next());
    seconds.push_back(absl::ToDoubleSeconds(absl::Now() - start));
    if (!sample.ok()) return state.SkipWithError(sample.status().ToString().c_str());
    if (chain->history().output().size() >= 1000 && !chain->Rollback(1000).ok()) {
      return state.SkipWithError("cannot roll back");
    }
  }
  const double median = Median(seconds);
  state.counters["median_us"] = median * 1e6;
  state.counters["x_pass"] = median / pass;
  state.counters["pass_us"] = pass * 1e6;
}

void RegisterAll() {
  for (const ChainCase& chain : Targets()) {
    for (const Shape shape : chain.shapes) {
      for (const int32_t vocab_size : {32000, 128256, 151936, 262144}) {
        benchmark::RegisterBenchmark(
            absl::StrCat(chain.name, "/", NameOf(shape), "/", vocab_size).c_str(), RunChain,
            chain.config, shape, vocab_size)
            ->Unit(benchmark::kMicrosecond);
      }
    }
  }
}

}  // namespace
}  // namespace logitchain

int main(int argc, char** argv) {
  logitchain::RegisterAll();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
