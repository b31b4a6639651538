// Shows that under --config=tsan the tests of batches would find a rule that shares state between
// chains: a program with such a rule is made to run, and must be stopped.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "logitchain/core/batch/batch_sampler.h"
#include "logitchain/core/batch/executor.h"
#include "logitchain/core/batch/tbb_executor.h"
#include "logitchain/core/batch/thread_executor.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/logits_matrix.h"
#include "logitchain/core/processor.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

constexpr int32_t kVocabSize = 8;
constexpr int kThreads = 2;

// Comes back once all threads are here, one after the other, without ordering their work: at the
// very same moment ThreadSanitizer may overlook a race.
class Meeting {
 public:
  void Attend() {
    const int place = here_.fetch_add(1, std::memory_order_relaxed);
    while (here_.load(std::memory_order_relaxed) < kThreads) {
    }
    absl::SleepFor(absl::Milliseconds(20) * place);
  }

 private:
  std::atomic<int> here_{0};
};

// Counts its runs, for all chains that have it.
class SharedCount final : public Cloneable<Filter, SharedCount> {
 public:
  SharedCount(Meeting& meeting, int& count) : meeting_(meeting), count_(count) {}

  absl::Status Apply(const StepContext&, CandidateSelector&) const override {
    meeting_.Attend();
    ++count_;
    return absl::OkStatus();
  }

 private:
  Meeting& meeting_;
  int& count_;
};

void SampleWithSharedCounts(std::shared_ptr<Executor> executor, int counters) {
  Meeting meeting;
  std::vector<int> counts(counters);
  BatchSampler sampler(std::move(executor));
  std::vector<SlotId> slots;
  for (int i = 0; i < kThreads; ++i) {
    std::unique_ptr<Chain> chain = MakeChain("draw { seed: 1 }", kVocabSize);
    chain->PrependMask("count", std::make_unique<SharedCount>(meeting, counts[i % counters]));
    slots.push_back(*sampler.Add(std::move(chain)));
  }
  const std::vector<float> logits(kThreads * kVocabSize);
  sampler.Sample(LogitsMatrix::Of(logits, kVocabSize), slots);
  EXPECT_EQ(counts[0], kThreads / counters);
}

TEST(RaceTest, RulesThatShareNothingAreInOrder) {
  SampleWithSharedCounts(std::make_shared<ThreadExecutor>(kThreads), kThreads);
  SampleWithSharedCounts(std::make_shared<TbbExecutor>(kThreads), kThreads);
}

#if defined(_GLIBCXX_TSAN)  // Set by --config=tsan.

TEST(RaceDeathTest, RuleThatSharesStateIsFoundOnThreads) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(SampleWithSharedCounts(std::make_shared<ThreadExecutor>(kThreads), 1), "data race");
}

TEST(RaceDeathTest, RuleThatSharesStateIsFoundOnTbb) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(SampleWithSharedCounts(std::make_shared<TbbExecutor>(kThreads), 1), "data race");
}

#endif

}  // namespace
}  // namespace logitchain
