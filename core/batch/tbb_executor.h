#ifndef LOGITCHAIN_CORE_BATCH_TBB_EXECUTOR_H_
#define LOGITCHAIN_CORE_BATCH_TBB_EXECUTOR_H_

#include <cstddef>
#include <memory>

#include "absl/functional/function_ref.h"
#include "logitchain/core/batch/executor.h"

namespace logitchain {

// Runs on the threads of oneTBB, which the whole process shares, in an arena of its own.
class TbbExecutor final : public Executor {
 public:
  // At most `threads` at a time, the calling one counted; less than 1 stands for as many as the
  // machine runs at once, more than kMaxThreads for kMaxThreads. Where the process limits TBB's
  // threads, there may be fewer; `threads` beyond the machine's raise TBB's own limit as long as
  // the executor lives.
  explicit TbbExecutor(int threads = 0);
  TbbExecutor(const TbbExecutor&) = delete;
  TbbExecutor& operator=(const TbbExecutor&) = delete;
  ~TbbExecutor() override;

  void ParallelFor(size_t n, absl::FunctionRef<void(size_t)> body) override;

 private:
  class Arena;

  std::unique_ptr<Arena> arena_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_BATCH_TBB_EXECUTOR_H_
