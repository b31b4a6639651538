// The sampling specification's example, small enough to check by hand.

#include <limits>
#include <memory>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/sample.h"
#include "logitchain/tests/testing/status_matchers.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;

// What a removed token's logit is.
constexpr double kOut = -std::numeric_limits<double>::infinity();

class HandExampleTest : public testing::Test {
 protected:
  const std::vector<float> logits_ = {1, 3, 2, 3, -1};
  const std::unique_ptr<Chain> chain_ = MakeChain(R"pb(
                                                    processors { top_k { k: 3 } }
                                                    processors { top_p { p: 0.8 } }
                                                    draw { seed: 0 }
                                                    logprobs: [ PENALISED, PROCESSED ]
                                                  )pb",
                                                  5);
};

// Of the three largest, 1 and 3 have e/(2e + 1) = 0.4223… each, together more than 0.8.
TEST_F(HandExampleTest, ProcessedLogits) {
  EXPECT_THAT(chain_->Process(logits_), IsOkAndHolds(ElementsAre(kOut, 3, kOut, 3, kOut)));
}

TEST_F(HandExampleTest, Distribution) {
  EXPECT_THAT(chain_->Distribution(logits_), IsOkAndHolds(ElementsAre(0, 0.5, 0, 0.5, 0)));
}

// The first uniform of seed 0 is above 0.5, and so beyond token 1.
TEST_F(HandExampleTest, Draw) {
  const Sample sample = chain_->Sample(logits_).value();
  EXPECT_EQ(sample.uniform, 0x1.9aac30ff7d566p-1);
  EXPECT_EQ(sample.token, 3);
  EXPECT_EQ(sample.probability, 0.5);
  EXPECT_EQ(sample.kept, 2);
  EXPECT_FALSE(sample.greedy);
}

// −log(e^−2 + 1 + e^−1 + 1 + e^−4), to the last bit.
TEST_F(HandExampleTest, Logprob) {
  const Sample sample = chain_->Sample(logits_).value();
  ASSERT_TRUE(sample.penalised_logprob.has_value());
  EXPECT_NEAR(*sample.penalised_logprob, -0.92487, 0.000005);
  EXPECT_EQ(*sample.penalised_logprob, -0x1.d9880972a106fp-1);
}

}  // namespace
}  // namespace logitchain
