// Shows that under --config=tsan the tests of batches find a rule that shares state between chains:
// a program with such a rule is made to run, and must be stopped.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "logitchain/core/batch/batch_sampler.h"
#include "logitchain/core/batch/thread_executor.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/logits_matrix.h"
#include "logitchain/core/processor.h"
#include "logitchain/tests/testing/executors.h"
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

void SampleWithSharedCounts(int counters) {
  Meeting meeting;
  std::vector<int> counts(counters);
  BatchSampler sampler(std::make_shared<ThreadExecutor>(kThreads));
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

TEST(RaceTest, RulesThatShareNothingRunAtTheSameTime) { SampleWithSharedCounts(kThreads); }

TEST(RaceDeathTest, RuleThatSharesStateIsFound) {
  if (!kUnderThreadSanitizer) GTEST_SKIP() << "it takes --config=tsan to see a race";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(SampleWithSharedCounts(1), "data race");
}

}  // namespace
}  // namespace logitchain
