#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/rule_testing.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const OneRule kRule("top_a");

const std::vector<double> kQ = {0.5, 0.2, 0.1, 0.1, 0.06, 0.04};

// The bound is a · 0.25.
TEST(TopATest, ComparesWithTheSquareOfTheLargest) {
  EXPECT_THAT(kRule.Kept("a: 0.15", kQ), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(kRule.Kept("a: 0.2", kQ), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(kRule.Kept("a: 0.39", kQ), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(kRule.Kept("a: 0.41", kQ), ElementsAre(0, 1));
  EXPECT_THAT(kRule.Kept("a: 1", kQ), ElementsAre(0));
}

// Probabilities of 1/4 are exact: the bound is a / 16.
TEST(TopATest, FlatDistributionsStay) {
  EXPECT_THAT(kRule.Kept("a: 1", {1, 1, 1, 1}), ElementsAre(0, 1, 2, 3));
}

// q = a · (max q)² only if it is alone and a is 1.
TEST(TopATest, TheBoundItselfStays) { EXPECT_THAT(kRule.Kept("a: 1", {1}), ElementsAre(0)); }

TEST(TopATest, RemovedTokensDoNotCount) {
  EXPECT_THAT(kRule.Kept("a: 0.39", {0.5, 0, 0.2, 0.1, 0.2}), ElementsAre(0, 2, 3, 4));
  EXPECT_THAT(kRule.Kept("a: 0.39", {0.5, 0, 0.2, 0.1, 0.2}, "dialect: LLAMA_CPP"),
              ElementsAre(0, 2, 3, 4));
}

TEST(TopATest, MinKeep) {
  EXPECT_THAT(kRule.Kept("a: 1 min_keep: 3", kQ), ElementsAre(0, 1, 2));
  EXPECT_THAT(kRule.Kept("a: 1 min_keep: 3", kQ, "dialect: HUGGING_FACE"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(kRule.Kept("a: 0.41 min_keep: 9", kQ), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(TopATest, ZeroIsOff) { EXPECT_THAT(kRule.Kept("a: 0", kQ), ElementsAre(0, 1, 2, 3, 4, 5)); }

TEST(TopATest, Errors) {
  EXPECT_THAT(kRule.Refusal("a: -0.1"), HasSubstr("a is -0.1; it must be in [0, 1]"));
  EXPECT_THAT(kRule.Refusal("a: 1.1"), HasSubstr("a is 1.1"));
  EXPECT_THAT(kRule.Refusal("a: 0.5 min_keep: 0"), HasSubstr("min_keep is 0"));
}

}  // namespace
}  // namespace logitchain
