#ifndef LOGITCHAIN_TESTS_TESTING_EXECUTORS_H_
#define LOGITCHAIN_TESTS_TESTING_EXECUTORS_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "logitchain/core/batch/executor.h"

namespace logitchain {

// libstdc++ knows, and --config=tsan tells it.
#if defined(_GLIBCXX_TSAN)
inline constexpr bool kUnderThreadSanitizer = true;
#else
inline constexpr bool kUnderThreadSanitizer = false;
#endif

// A class of executors, by name.
struct ExecutorKind {
  std::string name;
  std::function<std::unique_ptr<Executor>(int threads)> make;
};

// All that a test can run on, the default last. Under ThreadSanitizer oneTBB is not among them:
// Debian's is not instrumented, and would be reported for races that it has not.
std::vector<ExecutorKind> ExecutorKinds();

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_EXECUTORS_H_
