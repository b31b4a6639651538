#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "logitchain/core/decode/decode_loop.h"
#include "logitchain/core/decode/finish.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/environment.h"
#include "logitchain/tests/core/decode/scripted_grammar.h"
#include "logitchain/tests/core/decode/scripted_model.h"
#include "logitchain/tests/core/decode/step_to_end.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Tokens 0 to 2 are letters, and 3 is the model's stop token.
class GrammarEndTest : public testing::Test {
 protected:
  static constexpr TokenId kStop = 3;

  std::unique_ptr<DecodeLoop> Decode(std::vector<std::vector<TokenId>> allowed) {
    const Environment environment = {
        .vocab_size = 4,
        .mask_providers = {{"g", std::make_shared<ScriptedGrammar>(std::move(allowed))}}};
    auto loop = DecodeLoop::Create(
                    model_,
                    MakeChain("processors { grammar_mask { provider: 'g' } } draw { greedy {} }",
                              environment),
                    {}, {})
                    .value();
    StepToEnd(*loop);
    return loop;
  }

  ScriptedModel model_{{"a", "b", "c", ""}, {kStop}};
};

TEST_F(GrammarEndTest, AStopTokenThatIsAllThatTheMaskLeavesIsTheEndOfTheGrammar) {
  model_.Say({0, 1});
  const auto loop = Decode({{0, 1}, {kStop}});
  EXPECT_EQ(loop->text(), "a");
  EXPECT_EQ(loop->finish()->reason, FinishReason::kGrammarEnd);
  EXPECT_EQ(loop->finish()->stop_token, kStop);
}

TEST_F(GrammarEndTest, AStopTokenThatWasChosenIsNot) {
  model_.Say({0, kStop});
  EXPECT_EQ(Decode({{0, 1}, {1, kStop}})->finish()->reason, FinishReason::kStopToken);
}

TEST_F(GrammarEndTest, AStopTokenThatIsAllThatTheModelOffersIsNot) {
  model_.Offer({-kInfinity, -kInfinity, -kInfinity, 0});
  EXPECT_EQ(Decode({{0, kStop}})->finish()->reason, FinishReason::kStopToken);
}

TEST_F(GrammarEndTest, AStopTokenThatAFilterLeavesAloneIsNot) {
  model_.Say({kStop});
  const auto loop = MakeLoop(model_, {}, {}, "processors { top_k { k: 1 } }");
  StepToEnd(*loop);
  EXPECT_EQ(loop->finish()->reason, FinishReason::kStopToken);
}

TEST_F(GrammarEndTest, AGrammarThatAllowsNothingIsAnError) {
  model_.Say({0, 1});
  const auto loop = Decode({{0}, {}});
  EXPECT_EQ(loop->finish()->reason, FinishReason::kError);
  EXPECT_EQ(loop->finish()->status,
            absl::FailedPreconditionError(
                "step 1: processors[0].grammar_mask: removed all 4 candidates that it was given; "
                "at least one must stay"));
  EXPECT_EQ(loop->text(), "a");
}

}  // namespace
}  // namespace logitchain
