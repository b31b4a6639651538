#include "logitchain/core/decode/decode_loop.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/decode/finish.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/core/decode/scripted_model.h"
#include "logitchain/tests/core/decode/step_to_end.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

using Chunks = std::vector<std::string>;

// Tokens 0 to 2 are letters, and 3 is the model's stop token. It has bytes, as some models' have.
class DecodeLoopTest : public testing::Test {
 protected:
  static constexpr TokenId kStop = 3;

  ScriptedModel model_{{"a", "b", "c", "</s>"}, {kStop}};
};

TEST_F(DecodeLoopTest, StepsToTheStopToken) {
  model_.Say({0, 1, kStop});
  const auto loop = MakeLoop(model_);
  EXPECT_EQ(loop->Step(), "a");
  EXPECT_EQ(loop->Step(), "b");
  EXPECT_FALSE(loop->finished());
  EXPECT_EQ(loop->finish(), std::nullopt);
  EXPECT_EQ(loop->Step(), "");
  ASSERT_TRUE(loop->finished());
  EXPECT_EQ(loop->finish()->reason, FinishReason::kStopToken);
  EXPECT_EQ(loop->finish()->stop_token, kStop);
  EXPECT_EQ(loop->finish()->status, absl::OkStatus());
}

TEST_F(DecodeLoopTest, TheStopTokenIsNeitherAppendedNorPrinted) {
  model_.Say({0, 1, kStop});
  const auto loop = MakeLoop(model_);
  EXPECT_THAT(StepToEnd(*loop), ElementsAre("a", "b", ""));
  EXPECT_EQ(loop->text(), "ab");
  EXPECT_THAT(loop->tokens(), ElementsAre(0, 1));
}

TEST_F(DecodeLoopTest, RunPassesOnWhatIsThere) {
  model_.Say({0, 1, kStop});
  Chunks shown;
  EXPECT_EQ(MakeLoop(model_)->Run([&](absl::string_view bytes) { shown.emplace_back(bytes); }),
            absl::OkStatus());
  EXPECT_THAT(shown, ElementsAre("a", "b")) << "and does not call for nothing";
}

TEST_F(DecodeLoopTest, AStepBehindTheEndDoesNothing) {
  model_.Say({0, kStop, 1});
  const auto loop = MakeLoop(model_);
  StepToEnd(*loop);
  EXPECT_EQ(loop->Step(), "");
  EXPECT_THAT(model_.asked(), SizeIs(2));
  EXPECT_THAT(loop->tokens(), ElementsAre(0));
}

TEST_F(DecodeLoopTest, TheModelSeesPromptAndOutput) {
  model_.Say({0, 1, kStop});
  const auto loop = MakeLoop(model_, {}, {2, 2});
  StepToEnd(*loop);
  EXPECT_THAT(model_.asked(),
              ElementsAre(ElementsAre(2, 2), ElementsAre(2, 2, 0), ElementsAre(2, 2, 0, 1)));
  EXPECT_THAT(loop->chain().history().prompt(), ElementsAre(2, 2));
}

TEST_F(DecodeLoopTest, TheStoppingStepIsUndone) {
  for (const TokenId token : {0, 1, kStop}) {
    std::vector<float> only(4, -kInfinity);
    only[token] = 0;
    model_.Offer(only);
  }
  const auto loop = MakeLoop(model_, {}, {}, "");
  StepToEnd(*loop);
  EXPECT_EQ(loop->finish()->reason, FinishReason::kStopToken);
  EXPECT_EQ(loop->chain().draws(), 2u);
  EXPECT_THAT(loop->chain().history().output(), ElementsAre(0, 1));
}

TEST_F(DecodeLoopTest, ChosenStopTokensReplaceTheModelsInAnyOrder) {
  for (const TokenId stop : {0, 1, 2}) {
    ScriptedModel model({"a", "b", "c", "</s>"}, {kStop});
    model.Say({kStop, stop});
    const auto loop = MakeLoop(model, {.stop_tokens = {{2, 1, 0, 2}}});
    StepToEnd(*loop);
    EXPECT_EQ(loop->text(), "</s>");
    EXPECT_EQ(loop->finish()->stop_token, stop);
  }
}

TEST_F(DecodeLoopTest, WithAnEmptySetOfStopTokensNoneStops) {
  model_.Say({0, kStop, 1});
  const auto loop = MakeLoop(model_, {.stop_tokens = std::vector<TokenId>{}, .max_tokens = 3});
  StepToEnd(*loop);
  EXPECT_EQ(loop->text(), "a</s>b");
  EXPECT_EQ(loop->finish()->reason, FinishReason::kLength);
}

TEST_F(DecodeLoopTest, MaxTokensCaps) {
  model_.Say({0, 1, 2});
  const auto loop = MakeLoop(model_, {.max_tokens = 2});
  EXPECT_THAT(StepToEnd(*loop), ElementsAre("a", "b"));
  EXPECT_EQ(loop->finish()->reason, FinishReason::kLength);
  EXPECT_THAT(loop->tokens(), ElementsAre(0, 1));
  EXPECT_THAT(model_.asked(), SizeIs(2)) << "the model is not asked for a token too many";
}

TEST_F(DecodeLoopTest, WithMaxTokensZeroTheModelIsNotAsked) {
  const auto loop = MakeLoop(model_, {.max_tokens = 0});
  ASSERT_TRUE(loop->finished());
  EXPECT_EQ(loop->finish()->reason, FinishReason::kLength);
  EXPECT_EQ(loop->Step(), "");
  EXPECT_THAT(model_.asked(), IsEmpty());
}

TEST_F(DecodeLoopTest, TheTokenThatCompletesAStopStringIsATokenOfTheOutput) {
  model_.Say({0, 1, 2});
  const auto loop = MakeLoop(model_, {.stop_strings = {"x", "bc"}});
  EXPECT_THAT(StepToEnd(*loop), ElementsAre("a", "", ""));
  EXPECT_EQ(loop->text(), "a");
  EXPECT_EQ(loop->finish()->reason, FinishReason::kStopString);
  EXPECT_EQ(loop->finish()->stop_string, "bc");
  EXPECT_EQ(loop->finish()->stop_token, std::nullopt);
  EXPECT_THAT(loop->tokens(), ElementsAre(0, 1, 2));
}

TEST_F(DecodeLoopTest, AStopStringWinsOverMaxTokens) {
  model_.Say({0, 1});
  const auto loop = MakeLoop(model_, {.stop_strings = {"b"}, .max_tokens = 2});
  StepToEnd(*loop);
  EXPECT_EQ(loop->finish()->reason, FinishReason::kStopString);
}

TEST_F(DecodeLoopTest, OfStopStringsThatEndTogetherTheEarliestStartIsReported) {
  model_.Say({0, 1, 2});
  const auto loop = MakeLoop(model_, {.stop_strings = {"c", "abc", "bc"}});
  EXPECT_THAT(StepToEnd(*loop), ElementsAre("", "", ""));
  EXPECT_EQ(loop->text(), "");
  EXPECT_EQ(loop->finish()->stop_string, "abc");
}

TEST_F(DecodeLoopTest, AStopStringIsNotSoughtInThePrompt) {
  model_.Say({1, 2, kStop});
  const auto loop = MakeLoop(model_, {.stop_strings = {"ab"}}, {0});
  StepToEnd(*loop);
  EXPECT_EQ(loop->text(), "bc");
}

TEST_F(DecodeLoopTest, WithheldBytesAreFlushedByTheStopToken) {
  model_.Say({0, 1, kStop});
  const auto loop = MakeLoop(model_, {.stop_strings = {"bc"}});
  EXPECT_THAT(StepToEnd(*loop), ElementsAre("a", "", "b"));
  EXPECT_EQ(loop->text(), "ab");
}

TEST_F(DecodeLoopTest, WithheldBytesAreFlushedWithTheLastTokenOfMaxTokens) {
  model_.Say({1, 1});
  const auto loop = MakeLoop(model_, {.stop_strings = {"bbb"}, .max_tokens = 2});
  EXPECT_THAT(StepToEnd(*loop), ElementsAre("", "bb"));
}

TEST_F(DecodeLoopTest, EagerlyTheBeginOfAStopStringIsShown) {
  model_.Say({0, 1, 2});
  const auto loop = MakeLoop(model_, {.stop_strings = {"abc"}, .emit_eagerly = true});
  EXPECT_THAT(StepToEnd(*loop), ElementsAre("a", "b", ""));
  EXPECT_EQ(loop->text(), "");
  EXPECT_EQ(loop->finish()->reason, FinishReason::kStopString);
}

// The bytes of U+4E2D as tokens of their own.
class DecodeLoopBytesTest : public testing::Test {
 protected:
  ScriptedModel model_{{"\xE4", "\xB8", "\xAD", "x", ""}, {4}};
};

TEST_F(DecodeLoopBytesTest, ACharacterIsShownWhenItIsComplete) {
  model_.Say({3, 0, 1, 2, 4});
  const auto loop = MakeLoop(model_);
  EXPECT_THAT(StepToEnd(*loop), ElementsAre("x", "", "", "\xE4\xB8\xAD", ""));
}

TEST_F(DecodeLoopBytesTest, AStopStringMaySplitItsCharactersOverTokens) {
  model_.Say({3, 0, 1, 2, 4});
  const auto loop = MakeLoop(model_, {.stop_strings = {"\xE4\xB8\xAD"}});
  EXPECT_THAT(StepToEnd(*loop), ElementsAre("x", "", "", ""));
  EXPECT_EQ(loop->text(), "x");
  EXPECT_EQ(loop->finish()->stop_string, "\xE4\xB8\xAD");
}

TEST_F(DecodeLoopBytesTest, AnIncompleteCharacterIsFlushedAtTheEnd) {
  model_.Say({0, 1, 4});
  const auto loop = MakeLoop(model_);
  EXPECT_THAT(StepToEnd(*loop), ElementsAre("", "", "\xE4\xB8"));
}

// The penalty turns 1, .9, .8 around: of the tokens outside the window of two the first comes.
TEST(DecodeLoopPenaltyTest, TheWindowIsSeededFromThePromptAndTakesEveryToken) {
  static constexpr char kPenalty[] =
      "processors { repetition_penalty { penalty: 4 window: 2 } } draw { greedy {} }";
  const auto decode = [](const std::vector<TokenId>& prompt) {
    ScriptedModel model({"a", "b", "c"});
    for (int i = 0; i < 4; ++i) model.Offer({1, .9, .8});
    const auto loop = MakeLoop(model, {.max_tokens = 4}, prompt, kPenalty);
    StepToEnd(*loop);
    return loop->text();
  };
  EXPECT_EQ(decode({}), "abca");
  EXPECT_EQ(decode({0}), "bcab");
  EXPECT_EQ(decode({0, 1}), "cabc");
  EXPECT_EQ(decode({0, 1, 2}), "abca") << "a is before the tail of two";
}

}  // namespace
}  // namespace logitchain
