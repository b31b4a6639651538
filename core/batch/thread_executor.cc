#include "logitchain/core/batch/thread_executor.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

#include "absl/functional/function_ref.h"
#include "logitchain/core/batch/executor.h"

namespace logitchain {

// One ParallelFor. Threads share it by a counter that orders nothing, so that ThreadSanitizer does
// not take one body to happen before another just because their indices were handed out in turn.
class ThreadExecutor::Job {
 public:
  Job(size_t n, absl::FunctionRef<void(size_t)> body) : n_(n), body_(body) {}

  // Does its share: returns when no index is left.
  void Run() {
    for (;;) {
      const size_t i = next_.fetch_add(1, std::memory_order_relaxed);
      if (i >= n_) return;
      body_(i);
    }
  }

 private:
  const size_t n_;
  const absl::FunctionRef<void(size_t)> body_;
  std::atomic<size_t> next_{0};
};

ThreadExecutor::ThreadExecutor(int threads) {
  threads = std::min(threads, kMaxThreads);
  for (int i = 1; i < threads; ++i) threads_.emplace_back([this] { Work(); });
}

ThreadExecutor::~ThreadExecutor() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  offered_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadExecutor::ParallelFor(size_t n, absl::FunctionRef<void(size_t)> body) {
  Job job(n, body);
  if (n <= 1 || threads_.empty()) return job.Run();
  const std::lock_guard<std::mutex> turn(turn_);
  Offer(job);
  job.Run();
  Withdraw();
}

void ThreadExecutor::Work() {
  uint64_t jobs_seen = 0;
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    offered_.wait(lock,
                  [&] { return stopping_ || (job_ != nullptr && jobs_offered_ > jobs_seen); });
    if (stopping_) return;
    jobs_seen = jobs_offered_;
    Job& job = *job_;
    ++busy_;
    lock.unlock();
    job.Run();
    lock.lock();
    if (--busy_ == 0) idle_.notify_one();
  }
}

void ThreadExecutor::Offer(Job& job) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    job_ = &job;
    ++jobs_offered_;
  }
  offered_.notify_all();
}

void ThreadExecutor::Withdraw() {
  std::unique_lock<std::mutex> lock(mutex_);
  job_ = nullptr;
  idle_.wait(lock, [this] { return busy_ == 0; });
}

}  // namespace logitchain
