#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/decode/decode_loop.h"
#include "logitchain/core/decode/decode_options.h"
#include "logitchain/core/decode/finish.h"
#include "logitchain/core/limits.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/token_mask_provider.h"
#include "logitchain/registry/environment.h"
#include "logitchain/tests/core/decode/scripted_model.h"
#include "logitchain/tests/core/decode/step_to_end.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr char kGreedy[] = "draw { greedy {} }";

// Tokens 0 to 2 are letters, and 3 is the model's stop token.
class DecodeLoopErrorTest : public testing::Test {
 protected:
  static constexpr TokenId kStop = 3;

  ScriptedModel model_{{"a", "b", "c", ""}, {kStop}};
};

TEST_F(DecodeLoopErrorTest, AnErrorOfTheModelNamesTheStepAndKeepsTheText) {
  model_.Say({0, 1});
  const auto loop = MakeLoop(model_, {.stop_strings = {"bc"}});
  std::vector<std::string> shown;
  const absl::Status status =
      loop->Run([&](absl::string_view bytes) { shown.emplace_back(bytes); });
  EXPECT_EQ(status, absl::OutOfRangeError("step 2: the model: the script ends"));
  EXPECT_THAT(shown, ElementsAre("a", "b")) << "what was withheld is flushed";
  EXPECT_EQ(loop->text(), "ab");
  EXPECT_THAT(loop->tokens(), ElementsAre(0, 1));
  EXPECT_EQ(loop->finish()->reason, FinishReason::kError);
  EXPECT_EQ(loop->finish()->status, status);
}

TEST_F(DecodeLoopErrorTest, AnErrorOfTheChainNamesTheStep) {
  model_.Say({0});
  model_.Offer({0, std::nanf(""), 0, 0});
  const auto loop = MakeLoop(model_);
  StepToEnd(*loop);
  EXPECT_EQ(loop->finish()->status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(loop->finish()->status.message()), StartsWith("step 1: "));
  EXPECT_EQ(loop->text(), "a");
}

TEST_F(DecodeLoopErrorTest, LogitsOfAnotherVocabularyAreAnError) {
  model_.Offer({0, 0});
  const auto loop = MakeLoop(model_);
  StepToEnd(*loop);
  EXPECT_EQ(loop->finish()->status,
            absl::InvalidArgumentError("step 0: there are 2 logits; the vocabulary has 4 tokens"));
}

// Allows every token and accepts none.
class Unwilling final : public TokenMaskProvider {
 public:
  absl::Status FillMask(absl::Span<int32_t> mask) override {
    mask[0] = -1;
    return absl::OkStatus();
  }
  absl::Status Accept(TokenId) override { return absl::InternalError("no"); }
  absl::Status Rollback(int32_t) override { return absl::OkStatus(); }
  void Reset() override {}
  std::unique_ptr<TokenMaskProvider> Clone() const override {
    return std::make_unique<Unwilling>();
  }
};

TEST_F(DecodeLoopErrorTest, AfterARefusedCommitTheChainIsAsBeforeTheStep) {
  model_.Say({0});
  const Environment environment = {.vocab_size = 4,
                                   .mask_providers = {{"g", std::make_shared<Unwilling>()}}};
  const auto loop =
      DecodeLoop::Create(
          model_, MakeChain("processors { grammar_mask { provider: 'g' } }", environment), {}, {})
          .value();
  StepToEnd(*loop);
  EXPECT_EQ(loop->finish()->status, absl::InternalError("step 0: processors[0].grammar_mask: no"));
  EXPECT_THAT(loop->tokens(), IsEmpty());
  EXPECT_EQ(loop->chain().draws(), 0u);
}

TEST_F(DecodeLoopErrorTest, RefusesAChainForAnotherVocabulary) {
  EXPECT_EQ(DecodeLoop::Create(model_, MakeChain(kGreedy, 5), {}, {}).status(),
            absl::InvalidArgumentError("the model has 4 tokens, the chain 5"));
}

TEST_F(DecodeLoopErrorTest, RefusesAPromptThatTheChainRefuses) {
  EXPECT_EQ(DecodeLoop::Create(model_, MakeChain(kGreedy, 4), {4}, {}).status(),
            absl::InvalidArgumentError("prompt token id 4 is outside the vocabulary, [0, 4)"));
}

TEST_F(DecodeLoopErrorTest, RefusesBadOptions) {
  const auto create = [this](DecodeOptions options) {
    return DecodeLoop::Create(model_, MakeChain(kGreedy, 4), {}, std::move(options)).status();
  };
  EXPECT_EQ(create({.stop_strings = {"a", ""}}),
            absl::InvalidArgumentError("stop_strings[1] is empty; it would stop everywhere"));
  EXPECT_EQ(create({.stop_tokens = {{0, 4}}}),
            absl::InvalidArgumentError("stop_tokens[1] is 4; it must be in [0, 3]"));
  EXPECT_EQ(create({.stop_tokens = {{-1}}}),
            absl::InvalidArgumentError("stop_tokens[0] is -1; it must be in [0, 3]"));
  EXPECT_EQ(create({.max_tokens = -1}),
            absl::InvalidArgumentError("max_tokens is -1; it must be in [0, 1048576]"));
  EXPECT_EQ(create({.max_tokens = kMaxHistory + 1}),
            absl::InvalidArgumentError("max_tokens is 1048577; it must be in [0, 1048576]"));
  EXPECT_EQ(create({.max_tokens = 3, .min_tokens = 4}),
            absl::InvalidArgumentError("min_tokens is 4; it must be in [0, 3]"));
  EXPECT_EQ(create({.min_tokens = -1}),
            absl::InvalidArgumentError("min_tokens is -1; it must be in [0, 128]"));
}

TEST_F(DecodeLoopErrorTest, AModelsStopTokensAreCheckedToo) {
  ScriptedModel model({"a", "b"}, {2});
  EXPECT_EQ(DecodeLoop::Create(model, MakeChain(kGreedy, 2), {}, {}).status(),
            absl::InvalidArgumentError("stop_tokens[0] is 2; it must be in [0, 1]"));
}

}  // namespace
}  // namespace logitchain
