#ifndef LOGITCHAIN_TESTING_CONFORMANCE_INSTRUCTION_COUNTER_H_
#define LOGITCHAIN_TESTING_CONFORMANCE_INSTRUCTION_COUNTER_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"

namespace logitchain {

// How many instructions `work` takes in this thread. It stops at each of them, so that one costs as
// much as some thousands otherwise; but the count is the same on every run. Nothing where there is
// no way to count: on other machines than x86-64, and under ThreadSanitizer, which puts off
// signals.
std::optional<int64_t> CountInstructions(absl::FunctionRef<void()> work);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTING_CONFORMANCE_INSTRUCTION_COUNTER_H_
