// What implementations of the filters get wrong. Each input gives another answer where the thing
// that the test's name denies is done.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/testing/status_matchers.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;

// What a removed token's logit is.
constexpr double kOut = -std::numeric_limits<double>::infinity();
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// Logits whose softmax is these probabilities but for rounding.
std::vector<float> LogitsOf(const std::vector<double>& probabilities) {
  std::vector<float> logits;
  for (const double probability : probabilities) {
    logits.push_back(static_cast<float>(std::log(probability)));
  }
  return logits;
}

std::vector<TokenId> KeptOfJust(absl::string_view textproto, const std::vector<float>& logits) {
  const auto chain = MakeChain(textproto, static_cast<int32_t>(logits.size()));
  const std::vector<double> processed = chain->Process(logits).value();
  std::vector<TokenId> kept;
  for (size_t id = 0; id < processed.size(); ++id) {
    if (processed[id] != kOut) kept.push_back(static_cast<TokenId>(id));
  }
  return kept;
}

// The tokens that a chain leaves: of these, and of these among thousands that have no chance
// (exp(−5000) is 0), where a filter may go another way to the same end.
std::vector<TokenId> Kept(absl::string_view textproto, const std::vector<float>& logits) {
  std::vector<float> among_many(20000, -5000);
  std::copy(logits.begin(), logits.end(), among_many.begin());
  const std::vector<TokenId> kept = KeptOfJust(textproto, logits);
  EXPECT_EQ(KeptOfJust(textproto, among_many), kept);
  return kept;
}

// Four equal logits have a probability of exactly 0.25 each, and running sums without rounding.
const std::vector<float> kQuarters = {1, 1, 1, 1};

TEST(TopPPitfallTest, ASumOfExactlyPIsEnough) {
  // With s > p the third token would stay.
  EXPECT_THAT(Kept("processors { top_p { p: 0.5 } }", kQuarters), ElementsAre(0, 1));
  EXPECT_THAT(Kept("processors { top_p { p: 0.25 } }", kQuarters), ElementsAre(0));
  EXPECT_THAT(Kept("processors { top_p { p: 0.75 } }", kQuarters), ElementsAre(0, 1, 2));
}

TEST(TopPPitfallTest, TheTokenThatCrossesPStays) {
  EXPECT_THAT(Kept("processors { top_p { p: 0.6 } }", kQuarters), ElementsAre(0, 1, 2));
  EXPECT_THAT(Kept("processors { top_p { p: 0.8 } }", LogitsOf({0.1, 0.2, 0.7})),
              ElementsAre(1, 2));
}

TEST(TopPPitfallTest, TheFirstTokenStaysWhereItCrossesAlone) {
  EXPECT_THAT(Kept("processors { top_p { p: 0.5 } }", LogitsOf({0.1, 0.9})), ElementsAre(1));
  EXPECT_THAT(Kept("processors { top_p { p: 1e-8 } }", kQuarters), ElementsAre(0));
}

TEST(TopPPitfallTest, AllStayWhereTheSumNeverReachesP) {
  // Ten times 0.1 is 1 − 2⁻⁵³ in float64, and so is the largest p below 1.
  const std::vector<float> tenths(10, 0);
  EXPECT_EQ(KeptOfJust("processors { top_p { p: 0.9999999999999999 } }", tenths).size(), 10);
  const std::vector<float> thirds(3, 0);
  EXPECT_THAT(KeptOfJust("processors { top_p { p: 0.9999999 } }", thirds), ElementsAre(0, 1, 2));
}

TEST(TopPPitfallTest, ItSeesTheDistributionThatTopKLeaves) {
  // Of the two that top-k leaves, the first has 4/7. Of all four it has 0.4, and both would stay.
  EXPECT_THAT(Kept(R"pb(
                     processors { top_k { k: 2 } }
                     processors { top_p { p: 0.5 } }
                   )pb",
                   LogitsOf({0.1, 0.2, 0.3, 0.4})),
              ElementsAre(3));
}

TEST(TopPPitfallTest, ItSeesTheDistributionAfterTemperature) {
  // T = 0.5 squares the odds: 16/21, 4/21, 1/21.
  EXPECT_THAT(Kept(R"pb(
                     processors { temperature { temperature: 0.5 } }
                     processors { top_p { p: 0.7 } }
                   )pb",
                   LogitsOf({4.0 / 7, 2.0 / 7, 1.0 / 7})),
              ElementsAre(0));
}

TEST(MinPPitfallTest, ItComesAfterTopP) {
  // It removes the last token either way; without that one the first two would have 0.842 ≥ 0.84.
  EXPECT_THAT(Kept(R"pb(
                     processors { top_p { p: 0.84 } }
                     processors { min_p { p: 0.2 } }
                   )pb",
                   LogitsOf({0.5, 0.3, 0.15, 0.05})),
              ElementsAre(0, 1, 2));
}

TEST(MinPPitfallTest, ATokenExactlyOnTheBoundStays) {
  EXPECT_THAT(Kept("processors { min_p { p: 1 } }", {2, 3, 3, 1}), ElementsAre(1, 2));
  // Among few candidates that another filter has left, too.
  EXPECT_THAT(Kept(R"pb(
                     processors { top_k { k: 3 } }
                     processors { min_p { p: 1 } }
                   )pb",
                   {2, 3, 3, 1}),
              ElementsAre(1, 2));
}

TEST(TiePitfallTest, TopKPrefersTheLowestIds) {
  EXPECT_THAT(Kept("processors { top_k { k: 2 } }", {5, 5, 5, 1}), ElementsAre(0, 1));
  EXPECT_THAT(Kept("processors { top_k { k: 3 } }", {1, 7, 5, 5, 7, 5}), ElementsAre(1, 2, 4));
  EXPECT_THAT(Kept("processors { top_k { k: 1 } }", {1, 7, 5, 5, 7, 5}), ElementsAre(1));
}

TEST(TiePitfallTest, TopPPrefersTheLowestIds) {
  EXPECT_THAT(Kept("processors { top_p { p: 0.65 } }", LogitsOf({0.1, 0.2, 0.2, 0.5})),
              ElementsAre(1, 3));
}

TEST(TiePitfallTest, GreedyTakesTheLowestId) {
  const auto chain = MakeChain("processors { temperature { temperature: 0 } }", 5);
  EXPECT_EQ(chain->Sample(std::vector<float>{1, 3, 2, 3, 3}).value().token, 1);
}

TEST(TiePitfallTest, MinusZeroTiesWithZero) {
  EXPECT_THAT(Kept("processors { top_k { k: 1 } }", {-0.0f, 0.0f}), ElementsAre(0));
  const auto chain = MakeChain("draw { greedy {} }", 2);
  EXPECT_EQ(chain->Sample(std::vector<float>{-0.0f, 0.0f}).value().token, 0);
}

// Whatever is put in place of −∞ can be undercut, or scaled until it counts again.
TEST(RemovalPitfallTest, ARemovedTokenIsLessLikelyThanAnyLogit) {
  const auto chain = MakeChain("processors { grammar_mask { banned_ids: 0 } }", 3);
  const std::vector<float> logits = {0, -2e9f, -3e38f};
  EXPECT_THAT(chain->Process(logits), IsOkAndHolds(ElementsAre(kOut, -2e9f, -3e38f)));
  EXPECT_THAT(chain->Distribution(logits), IsOkAndHolds(ElementsAre(0, 1, 0)));
  EXPECT_EQ(chain->Sample(logits).value().token, 1);
}

TEST(RemovalPitfallTest, ALargeTemperatureDoesNotBringATokenBack) {
  const auto chain = MakeChain(R"pb(
                                 processors { grammar_mask { banned_ids: 1 } }
                                 processors { temperature { temperature: 1e9 } }
                               )pb",
                               2);
  // −1e9 / 1e9 would have a probability of 0.27.
  EXPECT_THAT(chain->Distribution(std::vector<float>{0, 0}), IsOkAndHolds(ElementsAre(1, 0)));
}

TEST(RemovalPitfallTest, EveryFilterRemovesWithMinusInfinity) {
  const std::vector<float> logits = {0, 1, 2, 3, kMinusInfinity};
  for (const std::string rule : {"grammar_mask { allowed_ids: 3 }", "top_k { k: 1 }",
                                 "top_p { p: 0.1 }", "min_p { p: 0.9 }"}) {
    SCOPED_TRACE(rule);
    const auto chain = MakeChain("processors { " + rule + " }", 5);
    EXPECT_THAT(chain->Process(logits), IsOkAndHolds(ElementsAre(kOut, kOut, kOut, 3, kOut)));
    EXPECT_THAT(chain->Distribution(logits), IsOkAndHolds(ElementsAre(0, 0, 0, 1, 0)));
  }
}

TEST(RemovalPitfallTest, AFilterDoesNotKeepWhatTheCallerRemoved) {
  const std::vector<float> logits = {kMinusInfinity, 1, kMinusInfinity, 0};
  for (const std::string rule : {"top_k { k: 3 }", "top_k { k: 3 ties: KEEP_TIES }",
                                 "top_p { p: 0.9999 }", "min_p { p: 1e-300 }"}) {
    SCOPED_TRACE(rule);
    EXPECT_THAT(KeptOfJust("processors { " + rule + " }", logits), ElementsAre(1, 3));
  }
}

}  // namespace
}  // namespace logitchain
