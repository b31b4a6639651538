#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/tests/testing/process_logits.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<float> kLogits = {2, 2, -2, 2};

std::vector<double> Processed(const std::string& rule, const SeenTokens& seen) {
  const auto processed =
      ProcessLogits("processors { repetition_penalty { penalty: 2 " + rule + " } }", kLogits, seen);
  EXPECT_TRUE(processed.ok()) << processed.status();
  return processed.value_or(std::vector<double>());
}

TEST(RepetitionPenaltyTest, IgnoresTheFirstTokens) {
  const SeenTokens seen = {.prompt = {0, 1}, .output = {2, 0}};
  EXPECT_THAT(Processed("", seen), ElementsAre(1, 1, -4, 2));
  EXPECT_THAT(Processed("prompt_ignore_length: 1", seen), ElementsAre(1, 1, -4, 2));
  EXPECT_THAT(Processed("prompt_ignore_length: 2", seen), ElementsAre(1, 2, -4, 2));
  EXPECT_THAT(Processed("prompt_ignore_length: 3", seen), ElementsAre(1, 2, -2, 2));
  EXPECT_THAT(Processed("prompt_ignore_length: 4", seen), ElementsAre(2, 2, -2, 2));
  EXPECT_THAT(Processed("prompt_ignore_length: 9", seen), ElementsAre(2, 2, -2, 2));
}

TEST(RepetitionPenaltyTest, IgnoredTokensAndTheWindowAreIndependent) {
  const SeenTokens seen = {.prompt = {0, 1}, .output = {2, 3}};
  EXPECT_THAT(Processed("prompt_ignore_length: 1 window: 2", seen), ElementsAre(2, 2, -4, 1));
  EXPECT_THAT(Processed("prompt_ignore_length: 3 window: 2", seen), ElementsAre(2, 2, -2, 1));
  EXPECT_THAT(Processed("prompt_ignore_length: 1 scope: OUTPUT_ONLY", seen),
              ElementsAre(2, 2, -4, 1));
}

TEST(RepetitionPenaltyTest, IgnoredTokensFollowRollback) {
  const auto chain = ParseChain(
      "processors { repetition_penalty { penalty: 2 prompt_ignore_length: 2 window: 1 } }",
      {.vocab_size = 4});
  ASSERT_TRUE((*chain)->Reset({0}).ok());
  for (const int id : {1, 2, 3}) ASSERT_TRUE((*chain)->Commit(id).ok());
  EXPECT_THAT((*chain)->Process(kLogits).value(), ElementsAre(2, 2, -2, 1));
  ASSERT_TRUE((*chain)->Rollback(1).ok());
  EXPECT_THAT((*chain)->Process(kLogits).value(), ElementsAre(2, 2, -4, 2));
  ASSERT_TRUE((*chain)->Rollback(2).ok());
  EXPECT_THAT((*chain)->Process(kLogits).value(), ElementsAre(2, 2, -2, 2));
}

TEST(RepetitionPenaltyTest, Errors) {
  EXPECT_THAT(
      ProcessLogits("processors { repetition_penalty { prompt_ignore_length: -1 } }", kLogits)
          .status()
          .message(),
      HasSubstr("prompt_ignore_length is -1; it must be in [0, 1048576]"));
}

}  // namespace
}  // namespace logitchain
