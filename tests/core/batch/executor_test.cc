#include "logitchain/core/batch/executor.h"

#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/executors.h"

namespace logitchain {
namespace {

using ::testing::Each;
using ::testing::TestParamInfo;
using ::testing::TestWithParam;
using ::testing::ValuesIn;

class ExecutorTest : public TestWithParam<ExecutorKind> {};

TEST_P(ExecutorTest, CallsTheBodyOnceForEachIndex) {
  for (int threads = 1; threads <= 8; ++threads) {
    const std::unique_ptr<Executor> executor = GetParam().make(threads);
    for (const size_t n : {0, 1, 2, 3, 64, 1000}) {
      std::vector<int> calls(n);
      executor->ParallelFor(n, [&](size_t i) { ++calls[i]; });
      EXPECT_THAT(calls, Each(1)) << n << " on " << threads;
    }
  }
}

// Not atomic: each number is read and written by many threads, one call after the other.
TEST_P(ExecutorTest, CallsSeeWhatTheCallerAndEarlierCallsWrote) {
  const std::unique_ptr<Executor> executor = GetParam().make(4);
  constexpr int kCalls = 300;
  constexpr size_t kSize = 16;
  std::vector<int> numbers(kSize);
  for (int call = 0; call < kCalls; ++call) {
    executor->ParallelFor(kSize, [&](size_t i) { numbers[(i + call) % kSize] += 1; });
    for (int& number : numbers) number += 1;
  }
  EXPECT_THAT(numbers, Each(2 * kCalls));
}

TEST_P(ExecutorTest, UsesSeveralThreads) {
  const std::unique_ptr<Executor> executor = GetParam().make(2);
  std::vector<std::thread::id> ids(2);
  // A thread may be late: bodies take their time, until two threads have met.
  for (int attempt = 0; attempt < 1000 && ids[0] == ids[1]; ++attempt) {
    executor->ParallelFor(2, [&](size_t i) {
      ids[i] = std::this_thread::get_id();
      absl::SleepFor(absl::Milliseconds(1));
    });
  }
  EXPECT_NE(ids[0], ids[1]);
}

TEST_P(ExecutorTest, ComesBackWhenTheLastBodyIsDone) {
  const std::unique_ptr<Executor> executor = GetParam().make(4);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> helped{0};
  for (int attempt = 0; attempt < 1000 && helped < 10; ++attempt) {
    std::atomic<size_t> done{0};
    constexpr size_t kSize = 8;
    executor->ParallelFor(kSize, [&](size_t) {
      const bool is_caller = std::this_thread::get_id() == caller;
      absl::SleepFor(absl::Milliseconds(is_caller ? 1 : 5));
      helped += !is_caller;
      ++done;
    });
    ASSERT_EQ(done, kSize);
  }
  EXPECT_GE(helped, 10);
}

TEST_P(ExecutorTest, NeverUsesMoreThreadsThanItWasMadeWith) {
  for (const int threads : {1, 2, 3}) {
    const std::unique_ptr<Executor> executor = GetParam().make(threads);
    std::atomic<int> running{0};
    executor->ParallelFor(40, [&](size_t) {
      EXPECT_LE(++running, threads);
      absl::SleepFor(absl::Milliseconds(1));
      --running;
    });
  }
}

TEST_P(ExecutorTest, OneThreadIsTheCallingOne) {
  const std::unique_ptr<Executor> executor = GetParam().make(1);
  std::vector<std::thread::id> ids(100);
  executor->ParallelFor(ids.size(), [&](size_t i) { ids[i] = std::this_thread::get_id(); });
  EXPECT_THAT(ids, Each(std::this_thread::get_id()));
}

TEST_P(ExecutorTest, ServesSeveralCallersAtTheSameTime) {
  const std::unique_ptr<Executor> executor = GetParam().make(3);
  std::vector<std::vector<int>> calls(4, std::vector<int>(50));
  std::vector<std::thread> callers;
  for (std::vector<int>& own : calls) {
    callers.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        executor->ParallelFor(own.size(), [&](size_t j) { ++own[j]; });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_THAT(calls, Each(Each(100)));
}

TEST_P(ExecutorTest, CanBeMadeAndDroppedUnused) {
  for (int threads = -1; threads <= 8; ++threads) EXPECT_NE(GetParam().make(threads), nullptr);
}

// As many threads would end the process.
TEST_P(ExecutorTest, TakesNoMoreThreadsThanAProcessIsGiven) {
  const std::unique_ptr<Executor> executor = GetParam().make(std::numeric_limits<int>::max());
  std::vector<int> calls(1000);
  executor->ParallelFor(calls.size(), [&](size_t i) { ++calls[i]; });
  EXPECT_THAT(calls, Each(1));
}

INSTANTIATE_TEST_SUITE_P(All, ExecutorTest, ValuesIn(ExecutorKinds()),
                         [](const TestParamInfo<ExecutorKind>& info) { return info.param.name; });

}  // namespace
}  // namespace logitchain
