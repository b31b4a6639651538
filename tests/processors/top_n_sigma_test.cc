// Expected sets were computed by hand, or by a Python transcription of the formula.

#include "logitchain/processors/top_n_sigma.h"

#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/rule_testing.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::string SigmaChain(double n, int min_keep = 1) {
  return absl::StrCat("processors { top_n_sigma { n: ", n, " min_keep: ", min_keep, " } } ");
}

TEST(TopNSigmaTest, KeepsLogitsNearTheLargestInEveryDialect) {
  // σ = √5, so that the limits are 3.76 and 1.53.
  const std::vector<float> logits = {0, 2, 4, 6};
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Survivors(dialect + SigmaChain(1), logits), ElementsAre(2, 3)) << dialect;
    EXPECT_THAT(Survivors(dialect + SigmaChain(2), logits), ElementsAre(1, 2, 3)) << dialect;
  }
}

TEST(TopNSigmaTest, LogitOnTheBoundStaysWithAllItsTies) {
  // σ = 1, so that the limit is 0 for n = 2.
  const std::vector<float> logits = {0, 2, 2, 0};
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Survivors(dialect + SigmaChain(2), logits), ElementsAre(0, 1, 2, 3)) << dialect;
    EXPECT_THAT(Survivors(dialect + SigmaChain(1.999), logits), ElementsAre(1, 2)) << dialect;
  }
}

TEST(TopNSigmaTest, RemovedTokensAreNoPartOfSigma) {
  const std::vector<float> logits = {-kInfinity, 0, 2, -kInfinity};
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Survivors(dialect + SigmaChain(2), logits), ElementsAre(1, 2)) << dialect;
    EXPECT_THAT(Survivors(dialect + SigmaChain(1.999), logits), ElementsAre(2)) << dialect;
  }
}

TEST(TopNSigmaTest, MatchesThePythonTranscription) {
  EXPECT_THAT(Survivors(SigmaChain(0.3), StepLogits(0)), ElementsAre(4, 8, 20, 24, 26, 32, 43));
  EXPECT_THAT(Survivors(SigmaChain(0.3), StepLogits(1)), ElementsAre(1, 9, 12, 19, 25, 37));
  EXPECT_THAT(Survivors(SigmaChain(1), StepLogits(0)),
              ElementsAre(2, 4, 8, 9, 10, 18, 20, 24, 26, 27, 32, 41, 43));
  EXPECT_THAT(Survivors(SigmaChain(1), StepLogits(1)),
              ElementsAre(0, 1, 9, 11, 12, 13, 19, 21, 23, 25, 26, 30, 33, 36, 37, 38, 46));
}

TEST(TopNSigmaTest, MinKeep) {
  const std::vector<float> logits = {1, 0, 2, 1};
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Survivors(dialect + SigmaChain(0.1), logits), ElementsAre(2)) << dialect;
    EXPECT_THAT(Survivors(dialect + SigmaChain(0.1, 2), logits), ElementsAre(0, 2)) << dialect;
    EXPECT_THAT(Survivors(dialect + SigmaChain(0.1, 9), logits), ElementsAre(0, 1, 2, 3))
        << dialect;
  }
}

TEST(TopNSigmaTest, EqualLogitsAndSingleCandidatesStay) {
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Survivors(dialect + SigmaChain(0.5), std::vector<float>{3, 3, 3}),
                ElementsAre(0, 1, 2))
        << dialect;
    EXPECT_THAT(Survivors(dialect + SigmaChain(0.5), std::vector<float>{-kInfinity, 3}),
                ElementsAre(1))
        << dialect;
  }
}

TEST(TopNSigmaTest, LogitsWhoseSumOverflowsAllStay) {
  EXPECT_THAT(Survivors("dialect: LLAMA_CPP " + SigmaChain(1), std::vector<float>{3e38f, 3e38f, 0}),
              ElementsAre(0, 1, 2));
}

TEST(TopNSigmaTest, OffAndRange) {
  EXPECT_EQ(Survivors(SigmaChain(0), StepLogits(0)).size(), 48);
  EXPECT_EQ(Survivors("processors { top_n_sigma {} }", StepLogits(0)).size(), 48);
  EXPECT_EQ(Survivors("dialect: LLAMA_CPP " + SigmaChain(-1), StepLogits(0)).size(), 48);
  EXPECT_THAT(Refusal(SigmaChain(-1), 4), HasSubstr("top_n_sigma.n is -1; it must be in [0, inf)"));
}

}  // namespace
}  // namespace logitchain
