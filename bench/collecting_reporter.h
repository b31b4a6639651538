#ifndef LOGITCHAIN_BENCH_COLLECTING_REPORTER_H_
#define LOGITCHAIN_BENCH_COLLECTING_REPORTER_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "benchmark/benchmark.h"

namespace logitchain {

// Prints as Google Benchmark does, and keeps the numbers.
class CollectingReporter final : public benchmark::ConsoleReporter {
 public:
  CollectingReporter() : ConsoleReporter(OO_None) {}

  void ReportRuns(const std::vector<Run>& runs) override;

  // Whether a case could not be measured.
  bool has_error() const { return has_error_; }

  // How many were.
  size_t size() const { return counters_.size(); }

  // A counter of a case, or its time as "us".
  std::optional<double> Counter(const std::string& name, absl::string_view counter) const;

 private:
  std::map<std::string, std::map<std::string, double>> counters_;
  bool has_error_ = false;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_BENCH_COLLECTING_REPORTER_H_
