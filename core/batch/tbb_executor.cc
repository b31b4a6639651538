#include "logitchain/core/batch/tbb_executor.h"

#include <cstddef>
#include <memory>
#include <optional>

#include "absl/functional/function_ref.h"
#include "oneapi/tbb/blocked_range.h"
#include "oneapi/tbb/global_control.h"
#include "oneapi/tbb/info.h"
#include "oneapi/tbb/parallel_for.h"
#include "oneapi/tbb/task_arena.h"

// ThreadSanitizer's runtime has these, and a program without it has not. It sees nothing of how the
// installed TBB synchronises, so that it has to be told; to have it watch half of that, the inline
// half, would make it report races where there are none. This file is compiled without it.
extern "C" {
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
}

namespace logitchain {
namespace {

// A point up to which what one thread wrote is visible to another.
class HandOver {
 public:
  void Give() {
    if (__tsan_release != nullptr) __tsan_release(this);
  }
  void Take() {
    if (__tsan_acquire != nullptr) __tsan_acquire(this);
  }
};

}  // namespace

class TbbExecutor::Arena {
 public:
  explicit Arena(int threads) : arena_(threads) {
    if (threads > oneapi::tbb::info::default_concurrency()) {
      limit_.emplace(oneapi::tbb::global_control::max_allowed_parallelism, threads);
    }
  }

  // Bodies are ordered with the caller, but not among themselves.
  void Run(size_t n, absl::FunctionRef<void(size_t)> body) {
    using Range = oneapi::tbb::blocked_range<size_t>;
    HandOver begin;
    HandOver end;
    begin.Give();
    arena_.execute([&] {
      oneapi::tbb::parallel_for(Range(0, n), [&](const Range& range) {
        begin.Take();
        for (size_t i = range.begin(); i < range.end(); ++i) body(i);
        end.Give();
      });
    });
    end.Take();
  }

 private:
  oneapi::tbb::task_arena arena_;
  std::optional<oneapi::tbb::global_control> limit_;
};

TbbExecutor::TbbExecutor(int threads)
    : arena_(std::make_unique<Arena>(threads < 1 ? oneapi::tbb::info::default_concurrency()
                                                 : threads)) {}

TbbExecutor::~TbbExecutor() = default;

void TbbExecutor::ParallelFor(size_t n, absl::FunctionRef<void(size_t)> body) {
  arena_->Run(n, body);
}

}  // namespace logitchain
