#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/logit_checks.h"
#include "logitchain/tests/testing/process_logits.h"
#include "logitchain/tests/testing/rule_testing.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const OneRule kRule("top_h");

// By Python, the fractions of the entropy of {.4, .3, .2, .1} that are reached: .2864, .5686,
// .8201.
TEST(TopHTest, KeepsAFractionOfTheEntropy) {
  const std::vector<double> q = {0.2, 0.4, 0.1, 0.3};
  EXPECT_THAT(kRule.Kept("h: 0.2", q), ElementsAre(1));
  EXPECT_THAT(kRule.Kept("h: 0.5", q), ElementsAre(1));
  EXPECT_THAT(kRule.Kept("h: 0.57", q), ElementsAre(1, 3));
  EXPECT_THAT(kRule.Kept("h: 0.81", q), ElementsAre(1, 3));
  EXPECT_THAT(kRule.Kept("h: 0.83", q), ElementsAre(0, 1, 3));
  EXPECT_THAT(kRule.Kept("h: 1", q), ElementsAre(0, 1, 2, 3));
}

// The terms of equal tokens are equal and their sums exact: half the entropy is two of four.
TEST(TopHTest, TheBoundItselfStaysAndTiesGoToTheLowestIds) {
  EXPECT_THAT(kRule.Kept("h: 0.5", {1, 1, 1, 1}), ElementsAre(0, 1));
  EXPECT_THAT(kRule.Kept("h: 0.75", {1, 1, 1, 1}, "dialect: HUGGING_FACE"), ElementsAre(0, 1, 2));
}

TEST(TopHTest, LooksAtTheTopNOnly) {
  EXPECT_THAT(kRule.Kept("h: 1 top_n: 2", {0.2, 0.4, 0.1, 0.3}), ElementsAre(1, 3));
  // Of two equal tokens half the entropy is one.
  EXPECT_THAT(kRule.Kept("h: 0.5 top_n: 2", {1, 1, 1, 1}), ElementsAre(0));
  EXPECT_EQ(kRule.Kept("h: 1", std::vector<double>(150, 1)).size(), 100);
}

TEST(TopHTest, RemovedTokensDoNotBreakTheEntropy) {
  for (const std::string head : {"", "dialect: LLAMA_CPP", "dialect: HUGGING_FACE"}) {
    EXPECT_THAT(kRule.Kept("h: 0.4", {0.25, 0.75, 0, 0}, head), ElementsAre(1));
    EXPECT_THAT(kRule.Kept("h: 1", {0.25, 0.75, 0, 0}, head), ElementsAre(0, 1));
  }
}

TEST(TopHTest, WithoutEntropyOnlyTheMostLikelyStays) {
  EXPECT_THAT(ProcessLogits("processors { top_h { h: 0.5 } }", {1000, 0, -1000}).value()[0], 1000);
  EXPECT_THAT(KeptIds(ProcessLogits("processors { top_h { h: 1 } }", {1000, 0, -1000}).value()),
              ElementsAre(0));
}

TEST(TopHTest, MinKeep) {
  EXPECT_THAT(kRule.Kept("h: 0.2 min_keep: 3", {0.2, 0.4, 0.1, 0.3}), ElementsAre(0, 1, 3));
  EXPECT_THAT(kRule.Kept("h: 0.2 top_n: 1 min_keep: 3", {0.2, 0.4, 0.1, 0.3}),
              ElementsAre(0, 1, 3));
}

TEST(TopHTest, Errors) {
  EXPECT_THAT(kRule.Refusal("h: 0"), HasSubstr("h is 0; it must be in (0, 1]"));
  EXPECT_THAT(kRule.Refusal("h: 1.01"), HasSubstr("h is 1.01"));
  EXPECT_THAT(kRule.Refusal("top_n: 0"), HasSubstr("top_n is 0; it must be in [1, inf)"));
  EXPECT_THAT(kRule.Refusal("min_keep: 0"), HasSubstr("min_keep is 0"));
}

}  // namespace
}  // namespace logitchain
