#include "logitchain/tests/testing/executors.h"

#include <memory>
#include <vector>

#include "logitchain/core/batch/tbb_executor.h"
#include "logitchain/core/batch/thread_executor.h"

namespace logitchain {

std::vector<ExecutorKind> ExecutorKinds() {
  std::vector<ExecutorKind> kinds = {
      {"thread", [](int threads) { return std::make_unique<ThreadExecutor>(threads); }}};
  if (!kUnderThreadSanitizer) {
    kinds.push_back({"tbb", [](int threads) { return std::make_unique<TbbExecutor>(threads); }});
  }
  return kinds;
}

}  // namespace logitchain
