#include "logitchain/grammar/vocab/longest_tokens.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/vocabulary.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::shared_ptr<const Vocabulary> VocabularyOf(Vocabulary::Parts parts) {
  return Vocabulary::Create(std::move(parts)).value();
}

TEST(LongestTokensTest, TakesTheLongestTokenAtEachPlace) {
  const auto vocabulary = VocabularyOf({.token_bytes = {"a", "abc", "ab", "b", "abd", "c", "bcc"}});
  const LongestTokens tokens(*vocabulary);
  EXPECT_EQ(tokens.First("abcc"), 1);
  EXPECT_EQ(tokens.First("abzz"), 2);
  EXPECT_EQ(tokens.First("ab"), 2);
  EXPECT_EQ(tokens.First("acc"), 0);
  EXPECT_EQ(tokens.First("bca"), 3);
  EXPECT_EQ(tokens.First("bcc"), 6);
  EXPECT_EQ(tokens.First("zz"), std::nullopt);
  EXPECT_EQ(tokens.First("\xFF"), std::nullopt);
  EXPECT_EQ(tokens.First(""), std::nullopt);
  EXPECT_THAT(tokens.Split("abdabab\xC3"), ElementsAre(4, 2, 2));
}

TEST(LongestTokensTest, TokensThatAreNoTextAreLeftOut) {
  const auto vocabulary = VocabularyOf(
      {.token_bytes = {"", "ab", "abc", "a", "a"}, .special_ids = {1}, .stop_ids = {2}});
  EXPECT_THAT(LongestTokens(*vocabulary).Split("abc"), ElementsAre(3)) << "the lower id";
}

TEST(LongestTokensTest, NoTokenMayBeAText) {
  const auto vocabulary = VocabularyOf({.token_bytes = {""}});
  EXPECT_THAT(LongestTokens(*vocabulary).Split("a"), IsEmpty());
}

// A token that is nearly there at each place of a text.
TEST(LongestTokensTest, LongTokensTakeNoLongTime) {
  const std::string text(20'000, 'a');
  const auto vocabulary = VocabularyOf({.token_bytes = {"a", text + "b", "aab"}});
  EXPECT_THAT(LongestTokens(*vocabulary).Split(text), SizeIs(text.size()));
}

}  // namespace
}  // namespace logitchain
