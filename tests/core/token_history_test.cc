#include "logitchain/core/token_history.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/token_counts.h"
#include "logitchain/core/token_id.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Counts = std::map<TokenId, int32_t>;

Counts AsMap(const TokenCounts& counts) {
  Counts map;
  for (const TokenCounts::Entry& entry : counts.entries()) map[entry.id] = entry.count;
  return map;
}

TEST(TokenHistoryTest, KeepsPromptAndOutputApart) {
  TokenHistory history;
  history.Reset(std::vector<TokenId>{1, 2});
  history.Append(3);
  history.Append(1);
  EXPECT_THAT(history.prompt(), ElementsAre(1, 2));
  EXPECT_THAT(history.output(), ElementsAre(3, 1));
  EXPECT_THAT(history.all(), ElementsAre(1, 2, 3, 1));
  history.DropLast();
  EXPECT_THAT(history.output(), ElementsAre(3));
  history.Reset({});
  EXPECT_THAT(history.all(), IsEmpty());
}

TEST(TokenHistoryTest, LastReachesIntoThePrompt) {
  TokenHistory history;
  history.Reset(std::vector<TokenId>{1, 2});
  history.Append(3);
  EXPECT_THAT(history.Last(0), IsEmpty());
  EXPECT_THAT(history.Last(2), ElementsAre(2, 3));
  EXPECT_THAT(history.Last(3), ElementsAre(1, 2, 3));
  EXPECT_THAT(history.Last(TokenScope::kAll), ElementsAre(1, 2, 3));
}

TEST(TokenHistoryTest, TheSameScopeIsCountedOnce) {
  TokenHistory history;
  const auto a = history.Track({.output_only = true, .last = 3});
  const auto b = history.Track({.output_only = false, .last = 3});
  const auto c = history.Track({.output_only = true, .last = 3});
  EXPECT_EQ(&history.counts(a), &history.counts(c));
  EXPECT_NE(&history.counts(a), &history.counts(b));
}

TEST(TokenHistoryTest, CopiesAreIndependent) {
  TokenHistory history;
  const auto all = history.Track({});
  history.Append(1);
  TokenHistory copy = history;
  copy.Append(1);
  EXPECT_EQ(AsMap(history.counts(all)), (Counts{{1, 1}}));
  EXPECT_EQ(AsMap(copy.counts(all)), (Counts{{1, 2}}));
}

struct ScopeCase {
  const char* name;
  TokenScope scope;
  Counts after_reset;
  Counts after_two_appended;
};

class ScopeTest : public testing::TestWithParam<ScopeCase> {};

// The prompt 1 2 2, then 2 and 3.
INSTANTIATE_TEST_SUITE_P(
    , ScopeTest,
    testing::Values(ScopeCase{"All", {}, {{1, 1}, {2, 2}}, {{1, 1}, {2, 3}, {3, 1}}},
                    ScopeCase{"None", {.last = 0}, {}, {}},
                    ScopeCase{"LastThree", {.last = 3}, {{1, 1}, {2, 2}}, {{2, 2}, {3, 1}}},
                    ScopeCase{"LastOne", {.last = 1}, {{2, 1}}, {{3, 1}}},
                    ScopeCase{"Output", {.output_only = true}, {}, {{2, 1}, {3, 1}}},
                    ScopeCase{"LastOneOfTheOutput", {.output_only = true, .last = 1}, {}, {{3, 1}}},
                    ScopeCase{"NoneOfTheOutput", {.output_only = true, .last = 0}, {}, {}}),
    [](const auto& info) { return info.param.name; });

TEST_P(ScopeTest, CountsByHand) {
  TokenHistory history;
  const auto id = history.Track(GetParam().scope);
  history.Reset(std::vector<TokenId>{1, 2, 2});
  EXPECT_EQ(AsMap(history.counts(id)), GetParam().after_reset);
  history.Append(2);
  history.Append(3);
  EXPECT_EQ(AsMap(history.counts(id)), GetParam().after_two_appended);
  history.DropLast();
  history.DropLast();
  EXPECT_EQ(AsMap(history.counts(id)), GetParam().after_reset);
}

// Counts of a scope as its definition says: from the tokens, anew.
Counts Recount(const TokenHistory& history, const TokenScope& scope) {
  absl::Span<const TokenId> part = scope.output_only ? history.output() : history.all();
  part = part.last(std::min<size_t>(scope.last, part.size()));
  Counts counts;
  for (const TokenId id : part) ++counts[id];
  return counts;
}

TEST(TokenHistoryTest, AgreesWithANaiveRecountOverRandomOperations) {
  Pcg32 random(2);
  const auto below = [&random](uint32_t n) { return random.Next() % n; };
  const auto token = [&] { return static_cast<TokenId>(below(12)) - 1; };
  TokenHistory history;
  std::vector<std::pair<TokenScope, TokenHistory::CountsId>> tracked;
  for (const bool output_only : {false, true}) {
    for (const int32_t last : {0, 1, 2, 3, 7, 64, TokenScope::kAll}) {
      const TokenScope scope = {.output_only = output_only, .last = last};
      tracked.emplace_back(scope, history.Track(scope));
    }
  }
  for (int i = 0; i < 4000; ++i) {
    const uint32_t kind = below(1000);
    if (kind < 5) {
      std::vector<TokenId> prompt(below(80));
      std::generate(prompt.begin(), prompt.end(), token);
      history.Reset(prompt);
    } else if (kind < 450 && !history.output().empty()) {
      history.DropLast();
    } else {
      history.Append(token());
    }
    for (const auto& [scope, id] : tracked) {
      ASSERT_EQ(AsMap(history.counts(id)), Recount(history, scope))
          << "after operation " << i << ", output_only " << scope.output_only << ", last "
          << scope.last;
    }
  }
}

}  // namespace
}  // namespace logitchain
