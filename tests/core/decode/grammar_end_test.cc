#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/decode/decode_loop.h"
#include "logitchain/core/decode/finish.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/environment.h"
#include "logitchain/tests/core/decode/scripted_model.h"
#include "logitchain/tests/core/decode/step_to_end.h"
#include "logitchain/tests/testing/fake_mask_provider.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

using ::testing::Contains;
using ::testing::Not;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Tokens 0 to 2 are letters, and 3 is the model's stop token.
class GrammarEndTest : public testing::Test {
 protected:
  static constexpr TokenId kStop = 3;

  // With a grammar that allows these tokens and no others behind 0, 1, 2, … tokens.
  std::unique_ptr<DecodeLoop> Decode(std::vector<std::vector<TokenId>> allowed) {
    grammar_.fill = [allowed = std::move(allowed)](absl::Span<const TokenId> accepted,
                                                   absl::Span<int32_t> mask) {
      for (const TokenId id : allowed[accepted.size()]) AllowToken(mask, id);
    };
    const Environment environment = {
        .vocab_size = 4, .mask_providers = {{"g", std::make_shared<FakeMaskProvider>(grammar_)}}};
    auto loop = DecodeLoop::Create(
                    model_,
                    MakeChain("processors { grammar_mask { provider: 'g' } } draw { greedy {} }",
                              environment),
                    {}, {})
                    .value();
    StepToEnd(*loop);
    EXPECT_THAT(grammar_.calls, Not(Contains("accept 3"))) << "the stop token is not committed";
    return loop;
  }

  FakeGrammar grammar_;
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

TEST_F(GrammarEndTest, ACompleteTextWithoutAStopTokenIsTheEndOfTheGrammar) {
  grammar_.may_end = true;
  model_.Say({0, 1});
  const auto loop = Decode({{0}, {}});
  EXPECT_EQ(loop->finish()->reason, FinishReason::kGrammarEnd);
  EXPECT_EQ(loop->finish()->stop_token, std::nullopt);
  EXPECT_EQ(loop->finish()->status, absl::OkStatus());
  EXPECT_EQ(loop->text(), "a");
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
