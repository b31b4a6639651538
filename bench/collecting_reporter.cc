#include "logitchain/bench/collecting_reporter.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "benchmark/benchmark.h"

namespace logitchain {

void CollectingReporter::ReportRuns(const std::vector<Run>& runs) {
  ConsoleReporter::ReportRuns(runs);
  for (const Run& run : runs) {
    has_error_ |= run.error_occurred;
    if (run.error_occurred) continue;
    // The settings of the run follow the name that it was registered with.
    auto& counters = counters_[run.run_name.function_name];
    counters["us"] = run.GetAdjustedRealTime();
    for (const auto& [name, counter] : run.counters) counters[name] = counter.value;
  }
}

std::optional<double> CollectingReporter::Counter(const std::string& name,
                                                  absl::string_view counter) const {
  const auto counters = counters_.find(name);
  if (counters == counters_.end()) return std::nullopt;
  const auto found = counters->second.find(std::string(counter));
  if (found == counters->second.end()) return std::nullopt;
  return found->second;
}

}  // namespace logitchain
