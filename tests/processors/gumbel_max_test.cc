#include "logitchain/processors/gumbel_max.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/testing/rule_testing.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kChain[] = "draw { seed: 42 gumbel_max {} } ";

// From a Python transcription of the header.
TEST(GumbelNoiseTest, KnownAnswers) {
  constexpr uint64_t kMaxSeed = std::numeric_limits<uint64_t>::max();
  EXPECT_EQ(GumbelNoise(0, 0).Uniform(0), 0x1.a9179b42072d7p-1);
  EXPECT_EQ(GumbelNoise(42, 0).Uniform(7), 0x1.d89cba538f61cp-3);
  EXPECT_EQ(GumbelNoise(42, 3).Uniform(7), 0x1.21744e5467f45p-1);
  EXPECT_EQ(GumbelNoise(kMaxSeed, 12).Uniform(151935), 0x1.d70605025dbb7p-1);
  EXPECT_DOUBLE_EQ(GumbelNoise(0, 0)(0), 1.6819091029032136);
  EXPECT_DOUBLE_EQ(GumbelNoise(42, 0)(7), -0.38277207035908883);
  EXPECT_DOUBLE_EQ(GumbelNoise(kMaxSeed, 12)(151935), 2.4839078426772043);
}

TEST(GumbelMaxTest, MatchesThePythonTranscription) {
  EXPECT_THAT(SampleTokens(*MakeChain(kChain, kStepVocabSize), 12),
              ElementsAre(16, 25, 24, 44, 16, 19, 31, 47, 24, 13, 10, 39));
}

TEST(GumbelMaxTest, TakesNoRandomNumberAndReportsTheProbability) {
  for (const std::string& dialect : EveryDialect()) {
    const std::unique_ptr<Chain> chain = MakeChain(dialect + kChain, kStepVocabSize);
    const std::vector<double> q = chain->Distribution(StepLogits(0)).value();
    const auto sample = chain->Sample(StepLogits(0));
    EXPECT_EQ(sample->probability, q[sample->token]) << dialect;
    EXPECT_EQ(sample->kept, kStepVocabSize);
    EXPECT_FALSE(sample->greedy);
    EXPECT_FALSE(sample->uniform.has_value());
    EXPECT_EQ(chain->draws(), 0);
  }
}

// Temperature is the same at both, so that filters alone differ.
TEST(GumbelMaxTest, TokenDoesNotDependOnWhatElseIsFiltered) {
  int compared = 0;
  for (const std::string& dialect : EveryDialect()) {
    const std::unique_ptr<Chain> all = MakeChain(dialect + kChain, kStepVocabSize);
    const std::unique_ptr<Chain> few =
        MakeChain(dialect +
                      "order: AS_LISTED processors { grammar_mask { banned_ids: [4, 9, 19] } } "
                      "processors { top_k { k: 8 } } processors { min_p { p: 0.05 } } " +
                      kChain,
                  kStepVocabSize);
    for (int t = 0; t < 100; ++t) {
      const TokenId token = all->Sample(StepLogits(t))->token;
      const std::vector<TokenId> left = Survivors(*few, StepLogits(t));
      const TokenId chosen = few->Sample(StepLogits(t))->token;
      if (!absl::c_linear_search(left, token)) continue;
      EXPECT_EQ(chosen, token) << dialect << t;
      ++compared;
    }
  }
  EXPECT_GT(compared, 200);
}

TEST(GumbelMaxTest, ChiSquare) {
  // 7 degrees of freedom: above 40.5 with a probability of 1e-6.
  const std::vector<double> p = {0.3, 0.2, 0.15, 0.12, 0.1, 0.06, 0.04, 0.03};
  const std::vector<float> logits = LogitsOf(p);
  constexpr int kTokens = 20000;
  for (const char* seed : {"1", "2", "3"}) {
    const std::unique_ptr<Chain> chain =
        MakeChain(absl::StrCat("draw { gumbel_max {} seed: ", seed, " }"), 8);
    std::vector<int> counts(p.size());
    for (int t = 0; t < kTokens; ++t) ++counts[chain->Sample(logits)->token];
    double chi_square = 0;
    for (size_t i = 0; i < p.size(); ++i) {
      const double expected = p[i] * kTokens;
      chi_square += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    EXPECT_LT(chi_square, 40.5) << testing::PrintToString(counts);
  }
}

TEST(GumbelMaxTest, RollbackForkResetAndByProducts) {
  const std::vector<TokenId> expected = SampleTokens(*MakeChain(kChain, kStepVocabSize), 30);
  const std::unique_ptr<Chain> chain = MakeChain(kChain, kStepVocabSize);
  SampleTokens(*chain, 20);
  ASSERT_TRUE(chain->Draw(StepLogits(20)).ok());
  ASSERT_TRUE(chain->Entropy(StepLogits(20)).ok());
  const std::unique_ptr<Chain> fork = chain->Fork();
  ASSERT_TRUE(fork->Commit(expected[20]).ok());
  EXPECT_EQ(SampleTokens(*fork, 9), std::vector<TokenId>(expected.begin() + 21, expected.end()));
  ASSERT_TRUE(chain->Rollback(7).ok());
  EXPECT_EQ(SampleTokens(*chain, 17), std::vector<TokenId>(expected.begin() + 13, expected.end()));
  ASSERT_TRUE(chain->Reset({}).ok());
  EXPECT_EQ(SampleTokens(*chain, 30), expected);
}

TEST(GumbelMaxTest, SkipAheadGoesToAnyPosition) {
  const std::vector<float> logits = StepLogits(0);
  const std::unique_ptr<Chain> all = MakeChain(kChain, kStepVocabSize);
  std::vector<TokenId> expected;
  for (int t = 0; t < 10; ++t) expected.push_back(all->Sample(logits)->token);
  const std::unique_ptr<Chain> chain = MakeChain(kChain, kStepVocabSize);
  ASSERT_TRUE(chain->SkipAhead(6).ok());
  EXPECT_EQ(chain->Sample(logits)->token, expected[6]);
  ASSERT_TRUE(chain->SkipAhead(1).ok());
  EXPECT_EQ(chain->Sample(logits)->token, expected[8]);
  EXPECT_EQ(chain->Sample(logits)->token, expected[9]);
  ASSERT_TRUE(chain->Rollback(2).ok());
  EXPECT_EQ(chain->Sample(logits)->token, expected[8]);
}

TEST(GumbelMaxTest, RemovedTokensNeverWin) {
  const std::unique_ptr<Chain> chain =
      MakeChain("processors { grammar_mask { allowed_ids: [3, 5] } } draw { gumbel_max {} }", 48);
  for (int t = 0; t < 200; ++t) {
    EXPECT_THAT(chain->Sample(StepLogits(t))->token, testing::AnyOf(3, 5));
  }
}

TEST(GumbelMaxTest, ErrorsOfItsPlace) {
  EXPECT_THAT(Refusal("processors { temperature { temperature: 0 } } draw { gumbel_max {} }", 4),
              HasSubstr("draw.gumbel_max does not draw greedily, as processors[0].temperature "
                        "demands"));
  EXPECT_THAT(
      Refusal("processors { plugin { [type.googleapis.com/logitchain.GumbelMaxConfig] {} } }", 4),
      HasSubstr(
          "processors[0].plugin[logitchain.GumbelMaxConfig] is a terminal; it stands in draw"));
  EXPECT_THAT(
      Refusal("draw { plugin { [type.googleapis.com/logitchain.TopKConfig] {} } }", 4),
      HasSubstr(
          "draw.plugin[logitchain.TopKConfig] is not a terminal; it is one of the processors"));
}

TEST(GumbelMaxTest, WorksAsAPlugin) {
  EXPECT_EQ(SampleTokens(*MakeChain("draw { seed: 42 plugin { "
                                    "[type.googleapis.com/logitchain.GumbelMaxConfig] {} } }",
                                    kStepVocabSize),
                         12),
            SampleTokens(*MakeChain(kChain, kStepVocabSize), 12));
}

}  // namespace
}  // namespace logitchain
