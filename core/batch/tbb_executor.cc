#include "logitchain/core/batch/tbb_executor.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>

#include "absl/functional/function_ref.h"
#include "logitchain/core/batch/executor.h"
#include "oneapi/tbb/global_control.h"
#include "oneapi/tbb/info.h"
#include "oneapi/tbb/parallel_for.h"
#include "oneapi/tbb/task_arena.h"

namespace logitchain {

class TbbExecutor::Arena {
 public:
  explicit Arena(int threads) : arena_(threads) {
    if (threads > oneapi::tbb::info::default_concurrency()) {
      limit_.emplace(oneapi::tbb::global_control::max_allowed_parallelism, threads);
    }
  }

  void Run(size_t n, absl::FunctionRef<void(size_t)> body) {
    arena_.execute([&] { oneapi::tbb::parallel_for(size_t{0}, n, body); });
  }

 private:
  oneapi::tbb::task_arena arena_;
  std::optional<oneapi::tbb::global_control> limit_;
};

TbbExecutor::TbbExecutor(int threads)
    : arena_(std::make_unique<Arena>(std::min(
          threads < 1 ? oneapi::tbb::info::default_concurrency() : threads, kMaxThreads))) {}

TbbExecutor::~TbbExecutor() = default;

void TbbExecutor::ParallelFor(size_t n, absl::FunctionRef<void(size_t)> body) {
  arena_->Run(n, body);
}

}  // namespace logitchain
