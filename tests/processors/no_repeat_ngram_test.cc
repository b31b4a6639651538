#include <algorithm>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/token_id.h"
#include "logitchain/processors/followers.h"
#include "logitchain/tests/testing/logit_checks.h"
#include "logitchain/tests/testing/process_logits.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<float> kLogits(5, 1);

std::vector<int> Kept(const std::string& rule, const SeenTokens& seen) {
  const auto processed =
      ProcessLogits("processors { no_repeat_ngram { " + rule + " } }", kLogits, seen);
  EXPECT_TRUE(processed.ok()) << processed.status();
  return processed.ok() ? KeptIds(*processed) : std::vector<int>();
}

TEST(NoRepeatNgramTest, BansWhatFollowedTheSameTokens) {
  EXPECT_THAT(Kept("size: 2", {.output = {1, 2, 1}}), ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(Kept("size: 3", {.output = {1, 2, 1}}), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(Kept("size: 3", {.output = {0, 1, 2, 0, 1}}), ElementsAre(0, 1, 3, 4));
}

TEST(NoRepeatNgramTest, SpansPromptAndOutput) {
  EXPECT_THAT(Kept("size: 3", {.prompt = {0, 1, 2}, .output = {0, 1}}), ElementsAre(0, 1, 3, 4));
}

TEST(NoRepeatNgramTest, OccurrencesMayOverlap) {
  EXPECT_THAT(Kept("size: 3", {.output = {1, 1, 1}}), ElementsAre(0, 2, 3, 4));
  EXPECT_THAT(Kept("size: 2", {.output = {1, 1}}), ElementsAre(0, 2, 3, 4));
}

TEST(NoRepeatNgramTest, OneBansAllThatWasSeen) {
  EXPECT_THAT(Kept("size: 1", {.output = {1, 3}}), ElementsAre(0, 2, 4));
  EXPECT_THAT(Kept("size: 1", {}), ElementsAre(0, 1, 2, 3, 4));
}

TEST(NoRepeatNgramTest, ShortHistoryBansNothing) {
  EXPECT_THAT(Kept("size: 3", {.output = {1}}), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(Kept("size: 2147483647", {.output = {1, 1}}), ElementsAre(0, 1, 2, 3, 4));
}

TEST(NoRepeatNgramTest, OfATextTheHistoryDoesNotCount) {
  EXPECT_THAT(Kept("size: 2 text_ids: [1, 3, 1, 4]", {.output = {1, 2, 1}}), ElementsAre(0, 1, 2));
  EXPECT_THAT(Kept("size: 1 text_ids: [1, 3]", {.output = {2}}), ElementsAre(0, 2, 4));
}

TEST(NoRepeatNgramTest, ZeroIsOff) {
  EXPECT_THAT(Kept("size: 0", {.output = {1, 1}}), ElementsAre(0, 1, 2, 3, 4));
}

TEST(NoRepeatNgramTest, Errors) {
  const auto error = [](const std::string& rules) {
    return std::string(
        ProcessLogits(rules, kLogits, {.output = {0, 1, 2, 3, 4}}).status().message());
  };
  EXPECT_THAT(error("processors { no_repeat_ngram { size: -1 } }"), HasSubstr("size is -1"));
  EXPECT_THAT(error("dialect: HUGGING_FACE processors { no_repeat_ngram { size: 0 } }"),
              HasSubstr("size is 0; it must be in [1, inf)"));
  EXPECT_THAT(error("processors { no_repeat_ngram { size: 1 text_ids: 5 } }"),
              HasSubstr("text_ids[0] is 5; it must be in the vocabulary"));
  EXPECT_THAT(error("processors { no_repeat_ngram { size: 1 } }"),
              HasSubstr("removed all 5 candidates"));
}

TEST(FollowersTest, ByHand) {
  EXPECT_THAT(FollowerFinder().Find({1, 2, 3, 1, 2, 4}, {1, 2}), ElementsAre(3, 4));
  EXPECT_THAT(FollowerFinder().Find({1, 2}, {1, 2}), IsEmpty());
  EXPECT_THAT(FollowerFinder().Find({}, {1}), IsEmpty());
  EXPECT_THAT(FollowerFinder().Find({5, 6}, {}), ElementsAre(5, 6));
}

// Every text of two letters against a search that tries every place.
TEST(FollowersTest, AllShortTexts) {
  for (int length = 0; length <= 10; ++length) {
    for (int bits = 0; bits < (1 << length); ++bits) {
      std::vector<TokenId> text;
      for (int i = 0; i < length; ++i) text.push_back((bits >> i) & 1);
      for (int size = 0; size <= length; ++size) {
        const auto pattern = absl::MakeConstSpan(text).last(size);
        std::vector<TokenId> expected;
        for (int i = size; i < length; ++i) {
          if (std::equal(pattern.begin(), pattern.end(), text.begin() + i - size)) {
            expected.push_back(text[i]);
          }
        }
        ASSERT_THAT(FollowerFinder().Find(text, pattern), ElementsAreArray(expected));
      }
    }
  }
}

}  // namespace
}  // namespace logitchain
