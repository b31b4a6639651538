#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/rule_testing.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const OneRule kRule("tail_free");

// By Python: of this the normalised second differences sum to .263, .684, .842, 1.
const std::vector<double> kQ = {0.03, 0.4, 0.3, 0.15, 0.08, 0.04};

TEST(TailFreeTest, CutsWhereTheCurvatureIsSpent) {
  EXPECT_THAT(kRule.Kept("z: 0.2", kQ), ElementsAre(1));
  EXPECT_THAT(kRule.Kept("z: 0.5", kQ), ElementsAre(1, 2));
  EXPECT_THAT(kRule.Kept("z: 0.8", kQ), ElementsAre(1, 2, 3));
  EXPECT_THAT(kRule.Kept("z: 0.95", kQ), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(kRule.Kept("z: 0", kQ), ElementsAre(1));
}

// Of 1/2, 1/2, 0, 0 the normalised second differences are exactly 1/2 and 1/2.
TEST(TailFreeTest, TheTailBeginsWhereTheSumIsBeyondZ) {
  const std::vector<double> q = {0.5, 0.5, 1e-300, 1e-300};
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(kRule.Kept("z: 0.499", q, dialect), ElementsAre(0)) << dialect;
    EXPECT_THAT(kRule.Kept("z: 0.5", q, dialect), ElementsAre(0, 1)) << dialect;
  }
}

TEST(TailFreeTest, SameInEveryArithmetic) {
  for (const std::string head :
       {"dialect: LLAMA_CPP", "dialect: HUGGING_FACE", "dialect: MINFER"}) {
    EXPECT_THAT(kRule.Kept("z: 0.8", kQ, head), ElementsAre(1, 2, 3));
  }
}

TEST(TailFreeTest, FlatDistributionsHaveNoTail) {
  EXPECT_THAT(kRule.Kept("z: 0.5", {1, 1, 1, 1}), ElementsAre(0, 1, 2, 3));
}

TEST(TailFreeTest, FewerThanThreeStay) {
  EXPECT_THAT(kRule.Kept("z: 0.1", {0.9, 0.1}), ElementsAre(0, 1));
  EXPECT_THAT(kRule.Kept("z: 0.1", {1}), ElementsAre(0));
  EXPECT_THAT(kRule.Kept("z: 0.1", {0.9, 0, 0.1, 0}), ElementsAre(0, 2));
}

TEST(TailFreeTest, RemovedTokensDoNotCount) {
  const std::vector<double> q = {0.03, 0, 0.4, 0.3, 0.15, 0, 0.08, 0.04};
  for (const std::string head : {"", "dialect: LLAMA_CPP", "dialect: HUGGING_FACE"}) {
    EXPECT_THAT(kRule.Kept("z: 0.8", q, head), ElementsAre(2, 3, 4));
    EXPECT_THAT(kRule.Kept("z: 0.95", q, head), ElementsAre(2, 3, 4, 6));
  }
}

// The differences of .4 .2 .2 .2 curve once, at the first place.
TEST(TailFreeTest, TiesGoToTheLowestIds) {
  EXPECT_THAT(kRule.Kept("z: 0.5", {0.2, 0.2, 0.4, 0.2}), ElementsAre(2));
  EXPECT_THAT(kRule.Kept("z: 0.5 min_keep: 2", {0.2, 0.2, 0.4, 0.2}), ElementsAre(0, 2));
}

TEST(TailFreeTest, OneIsOff) { EXPECT_THAT(kRule.Kept("z: 1", kQ), ElementsAre(0, 1, 2, 3, 4, 5)); }

TEST(TailFreeTest, Errors) {
  EXPECT_THAT(kRule.Refusal("z: -0.1"), HasSubstr("z is -0.1; it must be in [0, 1]"));
  EXPECT_THAT(kRule.Refusal("z: 1.1"), HasSubstr("z is 1.1"));
  EXPECT_THAT(kRule.Refusal("z: 0.5 min_keep: 0"), HasSubstr("min_keep is 0"));
}

}  // namespace
}  // namespace logitchain
