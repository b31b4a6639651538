#include "logitchain/processors/logit_bias.h"

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/tests/testing/rule_testing.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(LogitBiasTest, AddsInEveryDialect) {
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Processed(dialect + "processors { logit_bias { token { id: 2 bias: -1.5 } "
                                    "token { id: 0 bias: 2 } } }",
                          std::vector<float>{1, 2, 3}),
                ElementsAre(3, 2, 1.5))
        << dialect;
  }
}

TEST(LogitBiasTest, RepeatedIdsAddUpInTheirOrderAndArithmetic) {
  const std::string bias =
      "processors { logit_bias { token { id: 0 bias: 1e8 } token { id: 0 bias: 1 } "
      "token { id: 0 bias: -1e8 } } }";
  EXPECT_THAT(Processed(bias, std::vector<float>{0}), ElementsAre(1));
  // 1e8 + 1 is 1e8 in float32.
  EXPECT_THAT(Processed("dialect: LLAMA_CPP " + bias, std::vector<float>{0}), ElementsAre(0));
  EXPECT_THAT(
      Processed("processors { logit_bias { token { id: 0 bias: 0.1 } } }", std::vector<float>{0}),
      ElementsAre(0.1));
  EXPECT_THAT(Processed("dialect: VLLM processors { logit_bias { token { id: 0 bias: 0.1 } } }",
                        std::vector<float>{0}),
              ElementsAre(0.1f));
}

TEST(LogitBiasTest, MinusInfinityBansWhateverElseIsListed) {
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Processed(dialect + "processors { logit_bias { token { id: 1 bias: 5 } "
                                    "token { id: 1 bias: -inf } token { id: 1 bias: 7 } } }",
                          std::vector<float>{1, 2, 3}),
                ElementsAre(1, -kInfinity, 3))
        << dialect;
  }
}

TEST(LogitBiasTest, BansStandBeforeFiltersThatAreListedEarlier) {
  EXPECT_THAT(Survivors("order: AS_LISTED processors { top_k { k: 1 } } "
                        "processors { logit_bias { token { id: 2 bias: -inf } } }",
                        std::vector<float>{1, 2, 3}),
              ElementsAre(1));
}

TEST(LogitBiasTest, RemovedTokensStayRemoved) {
  EXPECT_THAT(Processed("processors { grammar_mask { banned_ids: 0 } } "
                        "processors { logit_bias { token { id: 0 bias: 100 } } }",
                        std::vector<float>{1, 2}),
              ElementsAre(-kInfinity, 2));
}

TEST(LogitBiasTest, BanOfEveryTokenIsAnErrorOfTheStep) {
  const std::unique_ptr<Chain> chain = MakeChain(
      "processors { logit_bias { token { id: 0 bias: -inf } token { id: 1 bias: -inf } } }", 2);
  EXPECT_THAT(std::string(chain->Process(std::vector<float>{1, 2}).status().message()),
              HasSubstr("processors[0].logit_bias: removed all 2 candidates"));
}

TEST(LogitBiasTest, ErrorsNameFieldAndId) {
  EXPECT_THAT(Refusal("processors { logit_bias { token { id: 5 } token { id: 191222 bias: -100 } } "
                      "}",
                      128256),
              HasSubstr("processors[0].logit_bias.token[1].id is 191222; it must be in the "
                        "vocabulary, [0, 128256)"));
  EXPECT_THAT(Refusal("processors { logit_bias { token { id: -1 } } }", 4),
              HasSubstr("logit_bias.token[0].id is -1; it must be in [0, inf)"));
  EXPECT_THAT(Refusal("processors { logit_bias { token { bias: 1 } } }", 4),
              HasSubstr("logit_bias.token[0].id is not set"));
  EXPECT_THAT(Refusal("processors { logit_bias { token { id: 0 bias: inf } } }", 4),
              HasSubstr("logit_bias.token[0].bias is inf; it must be in [-inf, inf)"));
  EXPECT_THAT(Refusal("processors { logit_bias { token { id: 0 bias: nan } } }", 4),
              HasSubstr("logit_bias.token[0].bias is nan; it must be in [-inf, inf)"));
}

TEST(LogitBiasTest, OffAtZero) {
  EXPECT_THAT(Processed("processors { logit_bias { token { id: 0 } token { id: 1 bias: 0 } } }",
                        std::vector<float>{1, 2}),
              ElementsAre(1, 2));
}

}  // namespace
}  // namespace logitchain
