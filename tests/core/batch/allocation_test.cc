// Counts what is allocated. TBB allocates by itself, if at all, which is not seen here; so the
// executor is the other one.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "logitchain/core/batch/batch_sampler.h"
#include "logitchain/core/batch/thread_executor.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/logits_matrix.h"
#include "logitchain/testing/conformance/heap_counter.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

constexpr int32_t kVocabSize = 1000;
constexpr size_t kRows = 16;
constexpr int kThreads = 2;

TEST(BatchAllocationTest, NothingIsAllocatedInSteadyState) {
  BatchSampler sampler(std::make_shared<ThreadExecutor>(kThreads));
  std::vector<SlotId> slots;
  for (size_t i = 0; i < kRows; ++i) {
    slots.push_back(*sampler.Add(MakeChain("draw { greedy {} }", kVocabSize)));
  }
  // Positive numbers of both 16-bit types.
  std::vector<uint16_t> halves(kRows * kVocabSize);
  for (size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<uint16_t>(i % 0x7000);
  for (const LogitType type : {LogitType::kBfloat16, LogitType::kFloat16}) {
    const LogitsMatrix logits = {.data = halves.data(),
                                 .type = type,
                                 .rows = kRows,
                                 .columns = kVocabSize,
                                 .stride = kVocabSize};
    const auto step = [&] {
      for (const auto& sample : sampler.Sample(logits, slots)) ASSERT_TRUE(sample.ok());
      // Histories grow by whatever a vector grows by; not what is measured here.
      for (const SlotId slot : slots) ASSERT_TRUE(sampler.Find(slot)->Rollback(1).ok());
    };
    for (int i = 0; i < 20; ++i) step();
    // A thread's buffer comes when threads first meet, which is as it happens.
    int rounds_with_allocations = 0;
    for (int round = 0; round <= kThreads; ++round) {
      const int64_t before = HeapAllocations();
      for (int i = 0; i < 20; ++i) step();
      rounds_with_allocations += HeapAllocations() > before;
    }
    EXPECT_LE(rounds_with_allocations, kThreads);
  }
}

}  // namespace
}  // namespace logitchain
