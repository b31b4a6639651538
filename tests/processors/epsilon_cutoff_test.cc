
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/rule_testing.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const OneRule kRule("epsilon_cutoff");

TEST(EpsilonCutoffTest, KeepsWhatIsProbableEnough) {
  EXPECT_THAT(kRule.Kept("epsilon: 0.15", {0.4, 0.3, 0.2, 0.1}), ElementsAre(0, 1, 2));
  EXPECT_THAT(kRule.Kept("epsilon: 0.25", {0.1, 0.3, 0.2, 0.4}), ElementsAre(1, 3));
}

// Probabilities of 1/4 are exact.
TEST(EpsilonCutoffTest, TheBoundItselfStays) {
  EXPECT_THAT(kRule.Kept("epsilon: 0.25", {1, 1, 1, 1}), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(kRule.Kept("epsilon: 0.25", {1, 1, 1, 1}, "dialect: HUGGING_FACE"),
              ElementsAre(0, 1, 2, 3));
}

TEST(EpsilonCutoffTest, NoneReachesIt) {
  EXPECT_THAT(kRule.Kept("epsilon: 0.9", {0.2, 0.4, 0.4}), ElementsAre(1));
  EXPECT_THAT(kRule.Kept("epsilon: 0.9", {0.2, 0.4, 0.4}, "dialect: HUGGING_FACE"),
              ElementsAre(1, 2));
}

TEST(EpsilonCutoffTest, MinKeep) {
  EXPECT_THAT(kRule.Kept("epsilon: 0.35 min_keep: 2", {0.1, 0.4, 0.2, 0.3}), ElementsAre(1, 3));
  EXPECT_THAT(kRule.Kept("epsilon: 0.35 min_keep: 9", {0.1, 0.4, 0, 0.5}), ElementsAre(0, 1, 3));
}

TEST(EpsilonCutoffTest, RemovedTokensStayRemoved) {
  EXPECT_THAT(kRule.Kept("epsilon: 0.15", {0.4, 0, 0.5, 0.1}, "dialect: LLAMA_CPP"),
              ElementsAre(0, 2));
}

TEST(EpsilonCutoffTest, Off) {
  EXPECT_THAT(kRule.Kept("epsilon: 0", {0.9, 0.1}), ElementsAre(0, 1));
  EXPECT_THAT(kRule.Kept("", {0.9, 0.1}), ElementsAre(0, 1));
}

TEST(EpsilonCutoffTest, Errors) {
  EXPECT_THAT(kRule.Refusal("epsilon: 1"), HasSubstr("epsilon is 1; it must be in [0, 1)"));
  EXPECT_THAT(kRule.Refusal("epsilon: -0.1"), HasSubstr("epsilon is -0.1"));
  EXPECT_THAT(kRule.Refusal("epsilon: 0", "dialect: HUGGING_FACE"),
              HasSubstr("epsilon is 0; it must be in (0, 1)"));
  EXPECT_THAT(kRule.Refusal("epsilon: 0.5 min_keep: 0"), HasSubstr("min_keep is 0"));
}

}  // namespace
}  // namespace logitchain
