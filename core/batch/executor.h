#ifndef LOGITCHAIN_CORE_BATCH_EXECUTOR_H_
#define LOGITCHAIN_CORE_BATCH_EXECUTOR_H_

#include <cstddef>

#include "absl/functional/function_ref.h"

namespace logitchain {

// The most threads that an executor of this library takes. A process is not given any number of
// them, and is ended when it asks for more.
inline constexpr int kMaxThreads = 256;

// Runs independent pieces of work, perhaps at the same time. Derive from it to have batches run on
// an engine's own threads; TbbExecutor is the one that is used by default.
class Executor {
 public:
  virtual ~Executor() = default;

  // Calls body(i) once for each i < n, in any order and on any threads, and returns once all calls
  // have. A body sees what the caller wrote before, and the caller then sees what the bodies wrote;
  // bodies are not ordered among themselves. A body does not throw, and does not come back to this
  // executor. Several threads may call this at the same time.
  virtual void ParallelFor(size_t n, absl::FunctionRef<void(size_t)> body) = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_BATCH_EXECUTOR_H_
