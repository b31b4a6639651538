#include "logitchain/grammar/syntax/choice_syntax.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/tests/grammar/testing/reference_recognizer.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

TEST(ChoiceSyntaxTest, IsOneOfTheTexts) {
  const std::vector<std::string> texts = {"yes", "no", "yesterday", "いいえ", "no", ""};
  const absl::StatusOr<Grammar> grammar = ChoiceGrammar(texts);
  ASSERT_THAT(grammar, IsOk());
  for (const std::string& text : texts) EXPECT_TRUE(ReferenceMatches(*grammar, text)) << text;
  for (const char* text : {"y", "yesno", "yester", "い", "n", "now"}) {
    EXPECT_FALSE(ReferenceMatches(*grammar, text)) << text;
  }
}

TEST(ChoiceSyntaxTest, SharedBeginningsAreThereOnce) {
  std::vector<std::string> texts;
  for (int i = 1000; i < 2000; ++i) texts.push_back("a long beginning " + std::to_string(i));
  const absl::StatusOr<Grammar> grammar = ChoiceGrammar(texts);
  ASSERT_THAT(grammar, IsOk());
  EXPECT_LT(grammar->regexes().size(), 200);
  EXPECT_TRUE(ReferenceMatches(*grammar, "a long beginning 1999"));
  EXPECT_FALSE(ReferenceMatches(*grammar, "a long beginning 2999"));
}

TEST(ChoiceSyntaxTest, BadChoicesAreRefused) {
  EXPECT_THAT(ChoiceGrammar({}), StatusIs(absl::StatusCode::kInvalidArgument,
                                          "there is no choice; there must be at least one"));
  EXPECT_THAT(ChoiceGrammar({"a", "\xFF"}),
              StatusIs(absl::StatusCode::kInvalidArgument, "choice[1] is not UTF-8"));
  EXPECT_THAT(ChoiceGrammar({std::string(2'000'000, 'a')}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "choice has 2000000 bytes in all; it must have at most 1048576"));
}

}  // namespace
}  // namespace logitchain
