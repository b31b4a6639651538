#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/tests/testing/logit_checks.h"
#include "logitchain/tests/testing/process_logits.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<float> kLogits(4, 1);

std::vector<int> Kept(const std::string& rule, const SeenTokens& seen) {
  const auto processed =
      ProcessLogits(absl::StrCat("processors { min_tokens { ", rule, " } }"), kLogits, seen);
  EXPECT_TRUE(processed.ok()) << processed.status();
  return processed.ok() ? KeptIds(*processed) : std::vector<int>();
}

std::string ErrorOf(const std::string& rules) {
  return std::string(ProcessLogits(rules, kLogits).status().message());
}

TEST(MinTokensTest, BansUntilThereAreEnoughOutputTokens) {
  const std::string rule = "count: 2 stop_ids: [1, 3]";
  EXPECT_THAT(Kept(rule, {}), ElementsAre(0, 2));
  EXPECT_THAT(Kept(rule, {.prompt = {0, 0, 0}, .output = {0}}), ElementsAre(0, 2));
  EXPECT_THAT(Kept(rule, {.output = {0, 0}}), ElementsAre(0, 1, 2, 3));
}

TEST(MinTokensTest, MayCountThePrompt) {
  const std::string rule = "count: 2 stop_ids: 1 count_prompt: true";
  EXPECT_THAT(Kept(rule, {.prompt = {0}}), ElementsAre(0, 2, 3));
  EXPECT_THAT(Kept(rule, {.prompt = {0}, .output = {0}}), ElementsAre(0, 1, 2, 3));
}

TEST(MinTokensTest, ZeroIsOff) {
  EXPECT_THAT(Kept("count: 0 stop_ids: 1", {}), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Kept("", {}), ElementsAre(0, 1, 2, 3));
}

TEST(MinTokensTest, FollowsRollback) {
  const auto chain =
      ParseChain("processors { min_tokens { count: 1 stop_ids: 1 } }", {.vocab_size = 4});
  ASSERT_TRUE((*chain)->Commit(0).ok());
  EXPECT_THAT(KeptIds((*chain)->Process(kLogits).value()), ElementsAre(0, 1, 2, 3));
  ASSERT_TRUE((*chain)->Rollback(1).ok());
  EXPECT_THAT(KeptIds((*chain)->Process(kLogits).value()), ElementsAre(0, 2, 3));
}

// vllm#53665: neither token 0 nor the stop comes out.
TEST(MinTokensTest, GrammarThatAllowsOnlyTheStopIsAnError) {
  const std::string grammar = "processors { grammar_mask { allowed_ids: 3 } } ";
  const std::string min_tokens = "processors { min_tokens { count: 2 stop_ids: 3 } } ";
  EXPECT_THAT(ErrorOf(grammar + min_tokens),
              HasSubstr("processors[1].min_tokens: removed the only candidate"));
  EXPECT_THAT(ErrorOf(min_tokens + grammar),
              HasSubstr("processors[1].grammar_mask: removed all 3 candidates"));
}

TEST(MinTokensTest, Errors) {
  EXPECT_THAT(ErrorOf("processors { min_tokens { count: 1 } }"),
              HasSubstr("min_tokens.stop_ids is empty"));
  EXPECT_THAT(ErrorOf("processors { min_tokens { count: -1 stop_ids: 1 } }"),
              HasSubstr("count is -1; it must be in [0, inf)"));
  EXPECT_THAT(ErrorOf("processors { min_tokens { count: 1 stop_ids: [0, 4] } }"),
              HasSubstr("stop_ids[1] is 4; it must be in the vocabulary"));
  EXPECT_THAT(ErrorOf("processors { min_tokens { stop_ids: 4 } }"), HasSubstr("stop_ids[0] is 4"));
}

}  // namespace
}  // namespace logitchain
