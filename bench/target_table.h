#ifndef LOGITCHAIN_BENCH_TARGET_TABLE_H_
#define LOGITCHAIN_BENCH_TARGET_TABLE_H_

#include <functional>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace logitchain {

// A counter of a case, or nothing if the case did not run or has no such counter. "us" is its time.
using CounterLookup =
    std::function<std::optional<double>(const std::string& name, absl::string_view counter)>;

// The tables of bench/README.md, as Markdown: what a token costs here, what it may, and what it
// costs elsewhere; what two threads make of a batch; and what each rule costs.
std::string TargetTable(const CounterLookup& counters);

}  // namespace logitchain

#endif  // LOGITCHAIN_BENCH_TARGET_TABLE_H_
