// Expected sets were computed by hand, or by a Python transcription of the formula.

#include "logitchain/processors/typical.h"

#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/testing/rule_testing.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::string TypicalChain(double p, int min_keep = 1) {
  return absl::StrCat("processors { typical { p: ", p, " min_keep: ", min_keep, " } } ");
}

TEST(TypicalTest, MayRemoveTheMostLikelyTokenInEveryDialect) {
  // H = 1.33, so that 0.4 has the score 0.42 and 0.2 the score 0.28.
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Survivors(dialect + TypicalChain(0.5), LogitsOf({0.4, 0.2, 0.2, 0.2})),
                ElementsAre(1, 2, 3))
        << dialect;
  }
}

TEST(TypicalTest, SumOnTheBoundAndTies) {
  // Four equal scores of 1/4 each: at the second token the sum is p.
  const std::vector<float> equal = {0, 0, 0, 0};
  EXPECT_THAT(Survivors("dialect: SPEC " + TypicalChain(0.5), equal), ElementsAre(0, 1));
  EXPECT_THAT(Survivors("dialect: MINFER " + TypicalChain(0.5), equal), ElementsAre(0, 1, 2));
  EXPECT_THAT(Survivors("dialect: LLAMA_CPP " + TypicalChain(0.5), equal), ElementsAre(0, 1, 2));
  EXPECT_THAT(Survivors("dialect: HUGGING_FACE " + TypicalChain(0.5), equal),
              ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Survivors("dialect: VLLM " + TypicalChain(0.5), equal), ElementsAre(0, 1, 2, 3));
}

TEST(TypicalTest, MatchesThePythonTranscription) {
  EXPECT_THAT(Survivors(TypicalChain(0.2), StepLogits(0)), ElementsAre(4, 20));
  EXPECT_THAT(Survivors(TypicalChain(0.2), StepLogits(1)), ElementsAre(19, 37));
  EXPECT_THAT(Survivors(TypicalChain(0.5), StepLogits(0)), ElementsAre(4, 8, 20, 24, 26, 32));
  EXPECT_THAT(Survivors(TypicalChain(0.5), StepLogits(1)), ElementsAre(9, 12, 19, 25, 37));
  EXPECT_THAT(Survivors(TypicalChain(0.9), StepLogits(0)),
              ElementsAre(4, 8, 9, 20, 24, 26, 32, 43));
  EXPECT_THAT(Survivors(TypicalChain(0.9), StepLogits(1)), ElementsAre(1, 9, 12, 19, 25, 36, 37));
}

TEST(TypicalTest, RemovedTokensAreNoPartOfTheEntropy) {
  // H = 0.94; the scores are 0.43, 0.45 and 0.96.
  std::vector<float> logits = LogitsOf({0.6, 0.25, 0.15});
  logits.insert(logits.begin(), -kInfinity);
  logits.push_back(-kInfinity);
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Survivors(dialect + TypicalChain(0.3), logits), ElementsAre(1)) << dialect;
    EXPECT_THAT(Survivors(dialect + TypicalChain(0.7), logits), ElementsAre(1, 2)) << dialect;
  }
}

TEST(TypicalTest, ProbabilityOfZeroComesLast) {
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Survivors(dialect + TypicalChain(0.9), std::vector<float>{-2000, 0, 0}),
                ElementsAre(1, 2))
        << dialect;
  }
}

TEST(TypicalTest, MinKeep) {
  const std::vector<float> logits = LogitsOf({0.6, 0.25, 0.15});
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Survivors(dialect + TypicalChain(0.3, 2), logits), ElementsAre(0, 1)) << dialect;
    EXPECT_THAT(Survivors(dialect + TypicalChain(0.3, 9), logits), ElementsAre(0, 1, 2)) << dialect;
  }
}

TEST(TypicalTest, OneCandidateStays) {
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Survivors(dialect + TypicalChain(0.1), std::vector<float>{-kInfinity, 3}),
                ElementsAre(1))
        << dialect;
  }
}

TEST(TypicalTest, OffAtOne) {
  EXPECT_EQ(Survivors("processors { typical { p: 1 } }", StepLogits(0)).size(), 48);
  EXPECT_EQ(Survivors("processors { typical {} }", StepLogits(0)).size(), 48);
  EXPECT_EQ(Survivors("dialect: LLAMA_CPP processors { typical { p: 1.5 } }", StepLogits(0)).size(),
            48);
}

TEST(TypicalTest, Ranges) {
  EXPECT_THAT(Refusal(TypicalChain(0), 4), HasSubstr("typical.p is 0; it must be in (0, 1]"));
  EXPECT_THAT(Refusal(TypicalChain(0.5, 0), 4),
              HasSubstr("typical.min_keep is 0; it must be in [1, inf)"));
  EXPECT_THAT(Refusal("dialect: HUGGING_FACE " + TypicalChain(0), 4),
              HasSubstr("typical.p is 0; it must be in (0, 1)"));
  EXPECT_THAT(Refusal("dialect: HUGGING_FACE " + TypicalChain(1), 4),
              HasSubstr("typical.p is 1; it must be in (0, 1)"));
}

TEST(TypicalTest, AfterAGreedyTemperatureIsAnError) {
  EXPECT_THAT(Refusal("processors { temperature { temperature: 0 } } " + TypicalChain(0.5), 4),
              HasSubstr("processors[1].typical may remove the most likely token, which "
                        "processors[0].temperature makes the draw return"));
}

}  // namespace
}  // namespace logitchain
