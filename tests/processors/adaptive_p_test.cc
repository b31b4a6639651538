// Adaptive-p. Expected distributions are from a Python transcription of the header, which rounds
// every operation to the dialect's arithmetic.

#include "logitchain/processors/adaptive_p.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/testing/rule_testing.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::Pointwise;

constexpr float kOut = -std::numeric_limits<float>::infinity();
constexpr char kDraw[] = "draw { seed: 5 adaptive_p { target: 0.3 decay: 0.5 } } ";

// The logits of a step, and the token that is committed after it.
struct Step {
  std::vector<float> logits;
  TokenId committed;
};

const std::vector<Step>& Steps() {
  static const auto* const steps = new std::vector<Step>{{{2, 1, 0, -1, kOut, 0.5}, 0},
                                                         {{3, 1, 0, -1, 2, 0.5}, 0},
                                                         {{0, 0, 1, 4, -2, 1}, 3},
                                                         {{1, 1, 1, 1, 1, 1}, 2},
                                                         {{5, kOut, kOut, 4, kOut, 0}, 0}};
  return *steps;
}

// The distributions of the steps.
std::vector<std::vector<double>> Distributions(Chain& chain) {
  std::vector<std::vector<double>> distributions;
  for (const Step& step : Steps()) {
    distributions.push_back(chain.Distribution(step.logits).value());
    EXPECT_TRUE(chain.Draw(step.logits).ok());
    EXPECT_TRUE(chain.Commit(step.committed).ok());
  }
  return distributions;
}

TEST(AdaptivePTest, DistributionsInFloat64) {
  const std::vector<std::vector<double>> expected = {
      {0.024824817466234064, 0.71748313838243882, 0.061569211952977841, 0.020024280029274831, 0,
       0.17609855216907438},
      {9.0099071244282073e-05, 0.26098670599292884, 0.1162313341960739, 0.081931245804336167,
       0.37876706838188895, 0.16199354655352782},
      {0.18451541182343922, 0.18451541182343922, 0.23711345735512629, 1.1564320772210591e-09,
       0.1567422604864368, 0.23711345735512629},
      {1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6},
      {9.0532743563231837e-06, 0, 0, 0.74505539256213504, 0, 0.2549355541635086}};
  const std::vector<std::vector<double>> actual = Distributions(*MakeChain(kDraw, 6));
  for (size_t t = 0; t < expected.size(); ++t) {
    EXPECT_THAT(actual[t], Pointwise(DoubleNear(1e-15), expected[t])) << t;
  }
}

TEST(AdaptivePTest, DistributionsInFloat32) {
  EXPECT_THAT(
      Distributions(*MakeChain(std::string("dialect: LLAMA_CPP ") + kDraw, 6)),
      ElementsAre(
          ElementsAre(0.024824811145663261, 0.71748316287994385, 0.061569206416606903,
                      0.020024269819259644, 0, 0.17609849572181702),
          ElementsAre(9.009923815028742e-05, 0.26098671555519104, 0.11623132973909378,
                      0.081931211054325104, 0.37876716256141663, 0.16199354827404022),
          ElementsAre(0.18451540172100067, 0.18451540172100067, 0.23711347579956055,
                      1.1564341706460368e-09, 0.15674224495887756, 0.23711347579956055),
          ElementsAreArray(std::vector<double>(6, 0.1666666716337204)),
          ElementsAre(9.0532794274622574e-06, 0, 0, 0.74505525827407837, 0, 0.254935622215271)));
}

// At the first step the aim is the target itself.
TEST(AdaptivePTest, TheAimIsHeldToProbabilities) {
  const std::vector<float> even = LogitsOf({0.5, 0.25, 0.25});
  for (const char* target : {"0", "1"}) {
    const std::unique_ptr<Chain> chain =
        MakeChain(std::string("draw { adaptive_p { decay: 0 target: ") + target + " } }", 3);
    const std::vector<double> first = chain->Distribution(even).value();
    // Whatever the token's probability was, the aim would now lie beyond the end.
    ASSERT_TRUE(chain->Draw(even).ok());
    ASSERT_TRUE(chain->Commit(0).ok());
    EXPECT_EQ(chain->Distribution(even).value(), first) << target;
  }
}

TEST(AdaptivePTest, ATokenThatTheDrawCouldNotGiveChangesNothing) {
  const std::vector<float>& logits = Steps()[0].logits;
  const std::unique_ptr<Chain> chain = MakeChain(kDraw, 6);
  const std::vector<double> first = chain->Distribution(logits).value();
  ASSERT_TRUE(chain->Commit(0).ok());
  EXPECT_EQ(chain->Distribution(logits).value(), first) << "no draw";
  ASSERT_TRUE(chain->Draw(logits).ok());
  ASSERT_TRUE(chain->Commit(4).ok());
  EXPECT_EQ(chain->Distribution(logits).value(), first) << "removed";
  ASSERT_TRUE(chain->Draw(logits).ok());
  ASSERT_TRUE(chain->Rollback(0).ok());
  ASSERT_TRUE(chain->Commit(0).ok());
  EXPECT_EQ(chain->Distribution(logits).value(), first) << "the draw was rolled back";
  ASSERT_TRUE(chain->Draw(logits).ok());
  ASSERT_TRUE(chain->Commit(0).ok());
  EXPECT_NE(chain->Distribution(logits).value(), first);
}

// Token 4 is removed, so that the distribution stays. 4 degrees of freedom: above 33.4 with a
// probability of 1e-6.
TEST(AdaptivePTest, ChiSquare) {
  const std::vector<float>& logits = Steps()[0].logits;
  constexpr int kTokens = 20000;
  for (const std::string& dialect : EveryDialect()) {
    const std::unique_ptr<Chain> chain = MakeChain(dialect + kDraw, 6);
    const std::vector<double> q = chain->Distribution(logits).value();
    std::vector<int> counts(6);
    for (int t = 0; t < kTokens; ++t) {
      const auto sample = chain->Draw(logits);
      EXPECT_EQ(sample->probability, q[sample->token]);
      EXPECT_EQ(sample->kept, 5);
      ++counts[sample->token];
      ASSERT_TRUE(chain->Commit(4).ok());
    }
    double chi_square = 0;
    for (size_t i = 0; i < q.size(); ++i) {
      if (q[i] == 0) continue;
      const double expected = q[i] * kTokens;
      chi_square += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    EXPECT_LT(chi_square, 33.4) << dialect << testing::PrintToString(counts);
    EXPECT_EQ(counts[4], 0) << dialect;
  }
}

TEST(AdaptivePTest, BelowZeroItIsCategorical) {
  for (const std::string& dialect : EveryDialect()) {
    const std::vector<TokenId> categorical =
        SampleTokens(*MakeChain(dialect + "draw { seed: 8 }", kStepVocabSize), 50);
    for (const char* draw : {"draw { seed: 8 adaptive_p {} }",
                             "draw { seed: 8 adaptive_p { target: -0.5 decay: 0.2 } }"}) {
      EXPECT_EQ(SampleTokens(*MakeChain(dialect + draw, kStepVocabSize), 50), categorical)
          << dialect << draw;
    }
  }
}

TEST(AdaptivePTest, OneCandidate) {
  for (const std::string& dialect : EveryDialect()) {
    const std::unique_ptr<Chain> chain =
        MakeChain(dialect + "processors { top_k { k: 1 } } " + kDraw, 3);
    const auto sample = chain->Sample(std::vector<float>{1, 3, 2});
    EXPECT_EQ(sample->token, 1);
    EXPECT_EQ(sample->probability, 1);
    EXPECT_EQ(chain->draws(), dialect == "dialect: LLAMA_CPP " ? 0 : 1) << dialect;
  }
}

// The average over the drawn tokens comes to the target where the model lets it.
TEST(AdaptivePTest, TheAverageComesToTheTarget) {
  const std::vector<double> p = {0.5, 0.3, 0.15, 0.05};
  const std::vector<float> logits = LogitsOf(p);
  const std::unique_ptr<Chain> chain =
      MakeChain("draw { seed: 1 adaptive_p { target: 0.25 decay: 0.9 } }", 4);
  double sum = 0;
  for (int t = 0; t < 5000; ++t) sum += p[chain->Sample(logits)->token];
  EXPECT_NEAR(sum / 5000, 0.25, 0.03);
}

TEST(AdaptivePTest, Errors) {
  EXPECT_THAT(Refusal("draw { adaptive_p { target: 1.5 } }", 4),
              HasSubstr("draw.adaptive_p.target is 1.5; it must be in [-1, 1]"));
  EXPECT_THAT(Refusal("draw { adaptive_p { decay: 1 } }", 4),
              HasSubstr("draw.adaptive_p.decay is 1; it must be in [0, 0.99]"));
  EXPECT_THAT(Refusal("processors { temperature { temperature: 0 } } draw { adaptive_p {} }", 4),
              HasSubstr("draw.adaptive_p does not draw greedily, as processors[0].temperature"));
  EXPECT_THAT(std::string(MakeChain("draw { adaptive_p {} }", 4)->SkipAhead(1).message()),
              HasSubstr("draw.adaptive_p: its draws depend on the tokens before them"));
}

}  // namespace
}  // namespace logitchain
