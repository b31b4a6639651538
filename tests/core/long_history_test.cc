// What a long history costs, by structure and not by time: a token changes a few counts, and
// penalties look at the tokens that were seen and at no other logit.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/random/uniform_source.h"
#include "logitchain/core/token_counts.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"
#include "logitchain/processors/presence_frequency_penalty.h"
#include "logitchain/processors/repetition_penalty.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {
namespace {

constexpr int kHistory = 32'000;
constexpr int32_t kVocabSize = 262'144;

std::vector<TokenId> RandomTokens(int count, int32_t below) {
  Pcg32 random(5);
  std::vector<TokenId> tokens(count);
  for (TokenId& id : tokens) id = static_cast<TokenId>(random.Next() % below);
  return tokens;
}

// The entries that a step of the history leaves as they were, at their places, are all but these.
int ChangedEntries(absl::Span<const TokenCounts::Entry> before,
                   absl::Span<const TokenCounts::Entry> after) {
  const size_t common = std::min(before.size(), after.size());
  auto changed = static_cast<int>(std::max(before.size(), after.size()) - common);
  for (size_t i = 0; i < common; ++i) {
    changed += before[i].id != after[i].id || before[i].count != after[i].count;
  }
  return changed;
}

class HistoryStepTest : public testing::TestWithParam<TokenScope> {};

// One token comes and one leaves the window: the entry of the one, that of the other, and the last
// one, which may fill its place. Counts made anew would stand in the order of the window.
TEST_P(HistoryStepTest, ChangesAFewCountsOnly) {
  TokenHistory history;
  const TokenHistory::CountsId seen = history.Track(GetParam());
  history.Reset(RandomTokens(kHistory, 20'000));
  std::vector<TokenCounts::Entry> before;
  const auto remember = [&] {
    const auto entries = history.counts(seen).entries();
    before.assign(entries.begin(), entries.end());
  };
  const std::vector<TokenId> output = RandomTokens(500, 20'000);
  for (const TokenId id : output) {
    remember();
    history.Append(id);
    ASSERT_LE(ChangedEntries(before, history.counts(seen).entries()), 3);
  }
  for (size_t i = 0; i < output.size(); ++i) {
    remember();
    history.DropLast();
    ASSERT_LE(ChangedEntries(before, history.counts(seen).entries()), 3);
  }
}

INSTANTIATE_TEST_SUITE_P(, HistoryStepTest,
                         testing::Values(TokenScope{}, TokenScope{.last = 64},
                                         TokenScope{.last = 20'000},
                                         TokenScope{.output_only = true},
                                         TokenScope{.output_only = true, .last = 100}));

// A window is what is counted, however long the history is.
TEST(LongHistoryTest, CountsHoldTheDistinctTokensOfTheWindow) {
  TokenHistory history;
  const TokenHistory::CountsId all = history.Track({});
  const TokenHistory::CountsId window = history.Track({.last = 64});
  const std::vector<TokenId> prompt = RandomTokens(kHistory, 500);
  history.Reset(prompt);
  EXPECT_EQ(history.counts(all).entries().size(), 500u);
  EXPECT_LE(history.counts(window).entries().size(), 64u);
}

// Logits of which all but the first can only be looked at on pain of death.
class GuardedLogits {
 public:
  explicit GuardedLogits(int32_t readable)
      : bytes_(kVocabSize * sizeof(float)),
        memory_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t open = (readable * sizeof(float) + page - 1) / page * page;
    for (int32_t id = 0; id < readable; ++id) data()[id] = static_cast<float>(id % 7) - 3;
    mprotect(static_cast<char*>(memory_) + open, bytes_ - open, PROT_NONE);
  }
  ~GuardedLogits() { munmap(memory_, bytes_); }
  GuardedLogits(const GuardedLogits&) = delete;
  GuardedLogits& operator=(const GuardedLogits&) = delete;

  absl::Span<const float> span() { return {data(), kVocabSize}; }

 private:
  float* data() { return static_cast<float*>(memory_); }

  size_t bytes_;
  void* memory_;
};

TEST(LongHistoryTest, PenaltiesLookAtTheTokensThatWereSeenAndAtNoOther) {
  constexpr int32_t kSeen = 3000;
  GuardedLogits logits(kSeen);
  TokenHistory history;
  const TokenHistory::CountsId seen = history.Track({});
  history.Reset(RandomTokens(kHistory, kSeen));
  const Dialect& dialect = GetDialect(ChainConfig::SPEC);
  UniformSource none(nullptr);
  const StepContext step = {dialect, history, none};
  Candidates candidates(dialect);
  candidates.Load(logits.span());
  LogitEditor editor(candidates);
  ASSERT_TRUE(RepetitionPenalty(2, seen).Apply(step, editor).ok());
  ASSERT_TRUE(PresenceFrequencyPenalty(0.5, 0.25, seen).Apply(step, editor).ok());
  // (3 − 1.5) and then 0.25 for each time and 0.5 once; both by hand.
  const int32_t count = history.counts(seen).count(6);
  ASSERT_GT(count, 0);
  EXPECT_EQ(editor.Find(6), 1.5 - 0.25 * count - 0.5);
}

}  // namespace
}  // namespace logitchain
