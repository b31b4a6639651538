#ifndef LOGITCHAIN_CORE_BATCH_THREAD_EXECUTOR_H_
#define LOGITCHAIN_CORE_BATCH_THREAD_EXECUTOR_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"
#include "logitchain/core/batch/executor.h"

namespace logitchain {

// A fixed number of std::threads, which sleep when there is nothing to do. Calls of several threads
// at the same time take turns.
class ThreadExecutor final : public Executor {
 public:
  // `threads` counts the one that calls ParallelFor, so that 1 starts none; less than 1 counts
  // as 1, more than kMaxThreads as kMaxThreads.
  explicit ThreadExecutor(int threads);
  ThreadExecutor(const ThreadExecutor&) = delete;
  ThreadExecutor& operator=(const ThreadExecutor&) = delete;
  ~ThreadExecutor() override;

  void ParallelFor(size_t n, absl::FunctionRef<void(size_t)> body) override;

 private:
  class Job;

  // What each thread does: joins one job after the other.
  void Work();

  // Lets the threads join a job, and takes it away from them once all that joined are done.
  void Offer(Job& job);
  void Withdraw();

  std::mutex turn_;  // Held by the thread that has a job.

  std::mutex mutex_;
  std::condition_variable offered_;
  std::condition_variable idle_;
  Job* job_ = nullptr;
  uint64_t jobs_offered_ = 0;
  int busy_ = 0;  // Threads that joined the job and are not done.
  bool stopping_ = false;

  std::vector<std::thread> threads_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_BATCH_THREAD_EXECUTOR_H_
