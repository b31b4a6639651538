// What one token costs: the chains for which there are targets, each rule alone, batches, and how
// the cost grows.
//
//   chain_bench                       everything, as Google Benchmark prints it; its flags work
//   chain_bench --table               the tables of bench/README.md
//   chain_bench --smoke               one token of each case, to see that they run

#include <iostream>
#include <string>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/strings/string_view.h"
#include "benchmark/benchmark.h"
#include "logitchain/bench/collecting_reporter.h"
#include "logitchain/bench/register_cases.h"
#include "logitchain/bench/run_settings.h"
#include "logitchain/bench/target_table.h"

ABSL_FLAG(bool, table, false, "measure for the tables of bench/README.md, and print them");
ABSL_FLAG(bool, smoke, false, "run each case for one token of a small vocabulary");
ABSL_FLAG(double, seconds, 0.1, "how long to measure a case");

namespace logitchain {
namespace {

void RegisterByFlags() {
  if (absl::GetFlag(FLAGS_smoke)) {
    return RegisterCases(SmokeSizes(), {.seconds = 0, .reference_tokens = 1});
  }
  const RunSettings settings = {.seconds = absl::GetFlag(FLAGS_seconds)};
  RegisterCases(absl::GetFlag(FLAGS_table) ? TableSizes() : AllSizes(), settings);
}

int Run() {
  RegisterByFlags();
  const bool is_table = absl::GetFlag(FLAGS_table);
  CollectingReporter reporter;
  if (is_table) reporter.SetOutputStream(&std::cerr);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  if (reporter.size() == 0) std::cerr << "no case was measured\n";
  if (reporter.has_error() || reporter.size() == 0) return 1;
  if (!is_table) return 0;
  std::cout << TargetTable([&](const std::string& name, absl::string_view counter) {
    return reporter.Counter(name, counter);
  });
  return 0;
}

}  // namespace
}  // namespace logitchain

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return logitchain::Run();
}
