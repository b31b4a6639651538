#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/decode/decode_loop.h"
#include "logitchain/core/decode/decode_options.h"
#include "logitchain/core/decode/finish.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/core/decode/scripted_model.h"
#include "logitchain/tests/core/decode/step_to_end.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kGreedy[] = "draw { greedy {} }";

// A model that would rather stop than say anything: tokens 2 and 3 are its favourites and stop.
class MinTokensTest : public testing::Test {
 protected:
  MinTokensTest() : model_({"a", "b", "</s>", "</t>"}, {2, 3}) {
    for (int i = 0; i < 4; ++i) model_.Offer({2, 1, 9, 8});
  }

  std::unique_ptr<DecodeLoop> Decode(DecodeOptions options, const char* chain = kGreedy,
                                     const std::vector<TokenId>& prompt = {}) {
    auto loop = MakeLoop(model_, std::move(options), prompt, chain);
    StepToEnd(*loop);
    return loop;
  }

  ScriptedModel model_;
};

TEST_F(MinTokensTest, WithoutThemTheTextMayBeEmpty) {
  EXPECT_THAT(Decode({})->tokens(), IsEmpty());
}

TEST_F(MinTokensTest, AllStopTokensAreBannedUntilTheyAreReached) {
  const auto loop = Decode({.min_tokens = 2});
  EXPECT_THAT(loop->tokens(), ElementsAre(0, 0));
  EXPECT_EQ(loop->finish()->reason, FinishReason::kStopToken);
  EXPECT_EQ(loop->finish()->stop_token, 2);
}

TEST_F(MinTokensTest, ThePromptDoesNotCount) {
  EXPECT_THAT(Decode({.min_tokens = 2}, kGreedy, {1, 1, 1})->tokens(), ElementsAre(0, 0));
}

TEST_F(MinTokensTest, MayBeAllThatMaxTokensAllow) {
  const auto loop = Decode({.max_tokens = 2, .min_tokens = 2});
  EXPECT_THAT(loop->tokens(), ElementsAre(0, 0));
  EXPECT_EQ(loop->finish()->reason, FinishReason::kLength);
}

// A ban behind the filter would find nothing left.
TEST_F(MinTokensTest, TheBanComesBeforeFilters) {
  const auto loop = Decode({.min_tokens = 1}, "processors { top_k { k: 1 } }");
  EXPECT_THAT(loop->tokens(), ElementsAre(0));
  EXPECT_EQ(loop->finish()->reason, FinishReason::kStopToken);
}

TEST_F(MinTokensTest, ChosenStopTokensAreBannedAndOnlyThose) {
  EXPECT_THAT(Decode({.stop_tokens = {{2}}, .max_tokens = 1, .min_tokens = 1})->tokens(),
              ElementsAre(3));
}

TEST_F(MinTokensTest, AMaskThatAllowsOnlyAStopTokenIsAnErrorThatSaysWhy) {
  const auto loop = Decode({.min_tokens = 2}, "processors { grammar_mask { allowed_ids: 2 } }");
  EXPECT_EQ(loop->finish()->status,
            absl::FailedPreconditionError(
                "step 0: processors[0].grammar_mask: removed all 2 candidates that it was given; "
                "at least one must stay; min_tokens is 2 and bans the stop tokens at this step: "
                "2, 3"));
}

TEST_F(MinTokensTest, SoIsAModelThatOffersOnlyStopTokens) {
  constexpr float kOut = -std::numeric_limits<float>::infinity();
  ScriptedModel model({"a", "b"}, {1});
  model.Offer({kOut, 0});
  const auto loop = MakeLoop(model, {.min_tokens = 1});
  loop->Step();
  EXPECT_EQ(loop->finish()->status,
            absl::FailedPreconditionError(
                "step 0: min_tokens: removed the only candidate that it was given; at least one "
                "must stay; min_tokens is 1 and bans the stop tokens at this step: 1"));
}

TEST_F(MinTokensTest, AnErrorThatTheBanCannotCauseDoesNotBlameIt) {
  ScriptedModel model({"a", "b"}, {1});
  model.Offer({0, std::nanf("")});
  const auto loop = MakeLoop(model, {.min_tokens = 1});
  StepToEnd(*loop);
  EXPECT_EQ(loop->finish()->status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(loop->finish()->status.message()), Not(HasSubstr("min_tokens")));
}

TEST_F(MinTokensTest, WithoutStopTokensThereIsNothingToBan) {
  const auto loop = Decode({.stop_tokens = std::vector<TokenId>(), .min_tokens = 1},
                           "processors { grammar_mask { allowed_ids: 0 } }"
                           "processors { grammar_mask { banned_ids: 0 } }");
  EXPECT_THAT(std::string(loop->finish()->status.message()),
              HasSubstr("removed the only candidate"));
  EXPECT_THAT(std::string(loop->finish()->status.message()), Not(HasSubstr("min_tokens")));
}

TEST_F(MinTokensTest, ErrorsBehindTheBanDoNotBlameIt) {
  const auto loop = Decode({.stop_tokens = {{2}}, .min_tokens = 1},
                           "processors { grammar_mask { allowed_ids: [ 0, 1 ] } }"
                           "processors { grammar_mask { banned_ids: 0 } }"
                           "draw { greedy {} }");
  EXPECT_THAT(loop->tokens(), ElementsAre(1, 1, 1, 1));
  EXPECT_EQ(loop->finish()->status, absl::OutOfRangeError("step 4: the model: the script ends"));
}

TEST_F(MinTokensTest, StopStringsStopAtAnyLength) {
  const auto loop = Decode({.stop_strings = {"a"}, .min_tokens = 3});
  EXPECT_THAT(loop->tokens(), ElementsAre(0));
  EXPECT_EQ(loop->finish()->reason, FinishReason::kStopString);
}

}  // namespace
}  // namespace logitchain
