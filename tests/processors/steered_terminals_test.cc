// What every terminal that steers by what was drawn promises: by-products disturb nothing, and
// fork, rollback, reset and failed steps are exact.

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/testing/rule_testing.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

constexpr char kMirostat[] = "draw { seed: 5 mirostat { tau: 2 eta: 0.5 m: 20 } } ";
constexpr char kMirostatV2[] = "draw { seed: 5 mirostat_v2 { tau: 2 eta: 0.5 } } ";
constexpr char kAdaptiveP[] = "draw { seed: 5 adaptive_p { target: 0.2 decay: 0.7 } } ";

class SteeredTerminalTest : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Chain> Make(const char* more = "") const {
    return MakeChain(GetParam() + more, kStepVocabSize);
  }
  std::vector<TokenId> Expected() const { return SampleTokens(*Make(), 30); }
};

INSTANTIATE_TEST_SUITE_P(
    Chains, SteeredTerminalTest,
    testing::Values(kMirostat, kMirostatV2, kAdaptiveP,
                    absl::StrCat("dialect: LLAMA_CPP ", kMirostat),
                    absl::StrCat("dialect: LLAMA_CPP ", kMirostatV2),
                    absl::StrCat("dialect: LLAMA_CPP ", kAdaptiveP),
                    absl::StrCat("dialect: MINFER ", kMirostatV2),
                    absl::StrCat("dialect: MINFER ", kAdaptiveP),
                    absl::StrCat("processors { xtc { probability: 0.5 } } ", kMirostatV2),
                    absl::StrCat("processors { xtc { probability: 0.5 } } ", kAdaptiveP)));

TEST_P(SteeredTerminalTest, ByProductsDisturbNothing) {
  const std::unique_ptr<Chain> chain = Make();
  std::vector<TokenId> tokens;
  for (int t = 0; t < 30; ++t) {
    const std::vector<float> logits = StepLogits(t);
    const std::vector<double> q = chain->Distribution(logits).value();
    const auto sample = chain->Draw(logits);
    EXPECT_EQ(sample->probability, q[sample->token]);
    EXPECT_EQ(chain->Distribution(logits).value(), q);
    ASSERT_TRUE(chain->Entropy(StepLogits(t + 1)).ok());
    ASSERT_TRUE(chain->Commit(sample->token).ok());
    tokens.push_back(sample->token);
  }
  EXPECT_EQ(tokens, Expected());
}

TEST_P(SteeredTerminalTest, RollbackForkAndReset) {
  const std::vector<TokenId> expected = Expected();
  const std::unique_ptr<Chain> chain = Make();
  SampleTokens(*chain, 20);
  ASSERT_TRUE(chain->Draw(StepLogits(20)).ok());
  const std::unique_ptr<Chain> fork = chain->Fork();
  ASSERT_TRUE(chain->Rollback(13).ok());
  EXPECT_EQ(SampleTokens(*chain, 23), std::vector<TokenId>(expected.begin() + 7, expected.end()));
  ASSERT_TRUE(fork->Commit(expected[20]).ok());
  EXPECT_EQ(SampleTokens(*fork, 9), std::vector<TokenId>(expected.begin() + 21, expected.end()));
  ASSERT_TRUE(chain->Reset({}).ok());
  EXPECT_EQ(SampleTokens(*chain, 30), expected);
}

TEST_P(SteeredTerminalTest, AFailedSampleChangesNothing) {
  const std::unique_ptr<Chain> chain = Make();
  std::vector<float> bad = StepLogits(0);
  bad[3] = std::numeric_limits<float>::quiet_NaN();
  std::vector<TokenId> tokens;
  for (int t = 0; t < 30; ++t) {
    EXPECT_FALSE(chain->Sample(bad).ok());
    tokens.push_back(chain->Sample(StepLogits(t))->token);
  }
  EXPECT_EQ(tokens, Expected());
}

TEST_P(SteeredTerminalTest, AskingForLogprobsChangesNothing) {
  EXPECT_EQ(SampleTokens(*Make("logprobs: RAW logprobs: PENALISED logprobs: PROCESSED"), 30),
            Expected());
}

TEST_P(SteeredTerminalTest, CannotSkipAhead) {
  const std::unique_ptr<Chain> chain = Make();
  EXPECT_FALSE(chain->SkipAhead(1).ok());
  EXPECT_EQ(SampleTokens(*chain, 30), Expected());
}

}  // namespace
}  // namespace logitchain
