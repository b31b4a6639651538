#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/logit_checks.h"
#include "logitchain/tests/testing/process_logits.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<float> kLogits(6, 1);

std::vector<int> Kept(const std::string& rule, const SeenTokens& seen,
                      const std::string& dialect = "SPEC") {
  const auto processed =
      ProcessLogits(absl::StrCat("dialect: ", dialect, " processors { bad_words { ", rule, " } }"),
                    kLogits, seen);
  EXPECT_TRUE(processed.ok()) << processed.status();
  return processed.ok() ? KeptIds(*processed) : std::vector<int>();
}

std::string ErrorOf(const std::string& rule) {
  return std::string(ProcessLogits(absl::StrCat("processors { bad_words { ", rule, " } }"), kLogits)
                         .status()
                         .message());
}

TEST(BadWordsTest, OneTokenIsAlwaysBanned) {
  EXPECT_THAT(Kept("sequences { ids: 2 }", {}), ElementsAre(0, 1, 3, 4, 5));
  EXPECT_THAT(Kept("sequences { ids: 2 }", {.output = {2, 2}}), ElementsAre(0, 1, 3, 4, 5));
}

TEST(BadWordsTest, NeedsTheWholePrefix) {
  const std::string rule = "sequences { ids: [1, 2, 3] }";
  EXPECT_THAT(Kept(rule, {}), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(Kept(rule, {.output = {2}}), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(Kept(rule, {.output = {1, 2}}), ElementsAre(0, 1, 2, 4, 5));
  EXPECT_THAT(Kept(rule, {.output = {1, 2, 0}}), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(Kept(rule, {.output = {5, 1, 2}}), ElementsAre(0, 1, 2, 4, 5));
}

TEST(BadWordsTest, SeveralSequences) {
  EXPECT_THAT(Kept("sequences { ids: [1, 2] } sequences { ids: [1, 3] } sequences { ids: 0 }",
                   {.output = {1}}),
              ElementsAre(1, 4, 5));
}

TEST(BadWordsTest, PrefixMayLieInThePromptUnlessTheDialectSaysElse) {
  const std::string rule = "sequences { ids: [1, 2, 3] }";
  const SeenTokens seen = {.prompt = {0, 1}, .output = {2}};
  EXPECT_THAT(Kept(rule, seen), ElementsAre(0, 1, 2, 4, 5));
  EXPECT_THAT(Kept(rule, seen, "HUGGING_FACE"), ElementsAre(0, 1, 2, 4, 5));
  EXPECT_THAT(Kept(rule, seen, "VLLM"), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(BadWordsTest, HuggingFacePassesOverSequencesLongerThanTheHistory) {
  const std::string rule = "sequences { ids: [1, 2, 3] }";
  EXPECT_THAT(Kept(rule, {.output = {1, 2}}, "HUGGING_FACE"), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(Kept(rule, {.output = {1, 2}}, "VLLM"), ElementsAre(0, 1, 2, 4, 5));
}

TEST(BadWordsTest, StopIdsAreNotBannedOnTheirOwn) {
  EXPECT_THAT(Kept("sequences { ids: 2 } sequences { ids: [1, 2] } stop_ids: 2", {}),
              ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(Kept("sequences { ids: 2 } sequences { ids: [1, 2] } stop_ids: 2", {.output = {1}}),
              ElementsAre(0, 1, 3, 4, 5));
}

TEST(BadWordsTest, BanningAllIsAnError) {
  EXPECT_THAT(ErrorOf("sequences { ids: 0 } sequences { ids: 1 } sequences { ids: 2 } "
                      "sequences { ids: 3 } sequences { ids: 4 } sequences { ids: 5 }"),
              HasSubstr("processors[0].bad_words: removed all 6 candidates"));
}

TEST(BadWordsTest, Errors) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("bad_words.sequences is empty"));
  EXPECT_THAT(ErrorOf("sequences {}"), HasSubstr("bad_words.sequences[0].ids is empty"));
  EXPECT_THAT(ErrorOf("sequences { ids: [1, 6] }"),
              HasSubstr("sequences[0].ids[1] is 6; it must be in the vocabulary, [0, 6)"));
  EXPECT_THAT(ErrorOf("sequences { ids: -1 }"), HasSubstr("ids[0] is -1; it must be in [0, inf)"));
  EXPECT_THAT(ErrorOf("sequences { ids: 1 } stop_ids: 6"), HasSubstr("stop_ids[0] is 6"));
}

}  // namespace
}  // namespace logitchain
