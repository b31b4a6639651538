#include "logitchain/cli/import/shell_words.h"

#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using ::testing::ElementsAreArray;

std::vector<std::string> Split(absl::string_view text) {
  const absl::StatusOr<std::vector<ShellWord>> words = SplitShellWords(text, "f");
  EXPECT_THAT(words, IsOk());
  std::vector<std::string> texts;
  if (!words.ok()) return texts;
  for (const ShellWord& word : *words) texts.push_back(word.text);
  return texts;
}

struct SplitCase {
  std::string name;
  std::string text;
  std::vector<std::string> words;

  friend void PrintTo(const SplitCase& param, std::ostream* out) { *out << param.name; }
};

class SplitTest : public testing::TestWithParam<SplitCase> {};

TEST_P(SplitTest, SplitsAsAShellDoes) {
  EXPECT_THAT(Split(GetParam().text), ElementsAreArray(GetParam().words));
}

INSTANTIATE_TEST_SUITE_P(All, SplitTest,
                         testing::ValuesIn<SplitCase>({
                             {"Nothing", "", {}},
                             {"Blanks", " \t\r\n ", {}},
                             {"Words", "a  bc\n\td", {"a", "bc", "d"}},
                             {"SingleQuotes", R"('a "\ \" \$ b'c)", {R"(a "\ \" \$ bc)"}},
                             {"DoubleQuotes", R"("a 'b' \" \\ \$ \n")", {R"(a 'b' " \ $ \n)"}},
                             {"EmptyQuotes", "'' \"\"", {"", ""}},
                             {"Backslash", R"(a\ b \" \\)", {"a b", "\"", "\\"}},
                             {"LastBackslash", "a\\", {"a\\"}},
                             {"LineContinuation", "a \\\n b\\\nc \\\r\nd", {"a", "bc", "d"}},
                             {"LineContinuationInQuotes", "\"a\\\nb\"", {"ab"}},
                             {"Comment", "a # b 'c\nd#e", {"a", "d#e"}},
                             {"CommentAtEnd", "# all", {}},
                         }),
                         [](const auto& info) { return info.param.name; });

TEST(ShellWordsTest, KnowsWhereWordsBegin) {
  const absl::StatusOr<std::vector<ShellWord>> words = SplitShellWords("a\n  'b' c", "f");
  ASSERT_THAT(words, IsOk());
  ASSERT_EQ(words->size(), 3u);
  EXPECT_EQ((*words)[1].location.line, 2);
  EXPECT_EQ((*words)[1].location.column, 3);
  EXPECT_EQ((*words)[2].location.column, 7);
}

TEST(ShellWordsTest, QuotesMustEnd) {
  EXPECT_THAT(
      SplitShellWords("a\nb 'c \"d\"", "f"),
      StatusIs(absl::StatusCode::kInvalidArgument, "f:2:3: a ' that begins here does not end"));
  EXPECT_THAT(
      SplitShellWords("\"a\\\"", "f"),
      StatusIs(absl::StatusCode::kInvalidArgument, "f:1:1: a \" that begins here does not end"));
}

}  // namespace
}  // namespace logitchain
