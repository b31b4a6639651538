#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/rule_testing.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const OneRule kRule("eta_cutoff");

// By Python: of {.01, .04, .9, .05} H is 0.41942, so that η = min(.0625, √.0625 · e^−H) = .0625.
TEST(EtaCutoffTest, SureDistributionsUseEpsilon) {
  EXPECT_THAT(kRule.Kept("epsilon: 0.0625", {0.01, 0.04, 0.9, 0.05}), ElementsAre(2));
  EXPECT_THAT(kRule.Kept("epsilon: 0.045", {0.01, 0.04, 0.9, 0.05}), ElementsAre(2, 3));
}

// Of eight equal tokens √.2 · e^−H = .0559 < 1/8 < .2.
TEST(EtaCutoffTest, UnsureDistributionsUseTheEntropy) {
  EXPECT_THAT(kRule.Kept("epsilon: 0.2", {1, 1, 1, 1, 1, 1, 1, 1}),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  // By Python: H = 2.0221, η = 0.0592.
  EXPECT_THAT(kRule.Kept("epsilon: 0.2", {0.16, 0.16, 0.16, 0.16, 0.16, 0.08, 0.065, 0.05, 0.005}),
              ElementsAre(0, 1, 2, 3, 4, 5, 6));
}

TEST(EtaCutoffTest, RemovedTokensDoNotBreakTheEntropy) {
  for (const std::string head : {"", "dialect: LLAMA_CPP", "dialect: HUGGING_FACE"}) {
    EXPECT_THAT(kRule.Kept("epsilon: 0.0625", {0, 0.04, 0.9, 0.06, 0}, head), ElementsAre(2));
    EXPECT_THAT(kRule.Kept("epsilon: 0.0625", {0, 0.1, 0.8, 0.1, 0}, head), ElementsAre(1, 2, 3));
  }
}

TEST(EtaCutoffTest, OneHot) {
  EXPECT_THAT(kRule.Kept("epsilon: 0.5", {1, 1e-30, 0}), ElementsAre(0));
}

TEST(EtaCutoffTest, MinKeep) {
  EXPECT_THAT(kRule.Kept("epsilon: 0.0625 min_keep: 2", {0.01, 0.04, 0.9, 0.05}),
              ElementsAre(2, 3));
}

TEST(EtaCutoffTest, ZeroIsOff) {
  EXPECT_THAT(kRule.Kept("epsilon: 0", {0.9, 0.1}), ElementsAre(0, 1));
}

TEST(EtaCutoffTest, Errors) {
  EXPECT_THAT(kRule.Refusal("epsilon: 1"), HasSubstr("epsilon is 1; it must be in [0, 1)"));
  EXPECT_THAT(kRule.Refusal("epsilon: 0", "dialect: HUGGING_FACE"),
              HasSubstr("it must be in (0, 1)"));
  EXPECT_THAT(kRule.Refusal("epsilon: 0.5 min_keep: 0"), HasSubstr("min_keep is 0"));
}

}  // namespace
}  // namespace logitchain
