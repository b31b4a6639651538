#include "logitchain/cli/text_layout.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TextLayoutTest, WrapsAtSpaces) {
  EXPECT_THAT(WrapWords("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(WrapWords("one two three", 6), ElementsAre("one", "two", "three"));
  EXPECT_THAT(WrapWords(" one  two ", 80), ElementsAre("one two"));
  EXPECT_THAT(WrapWords("", 80), IsEmpty());
}

TEST(TextLayoutTest, DoesNotBreakWords) {
  EXPECT_THAT(WrapWords("a lengthy word", 3), ElementsAre("a", "lengthy", "word"));
}

TEST(TextLayoutTest, IndentsParagraphsWithinTheTextWidth) {
  const std::string word(38, 'x');
  EXPECT_EQ(Paragraph(word + " " + word + " " + word, "  "),
            "  " + word + " " + word + "\n  " + word + "\n");
}

TEST(TextLayoutTest, SetsDefinitionsInTheirOwnColumn) {
  const std::string word(35, 'x');
  EXPECT_EQ(DefinitionList({{"a", "first"}, {"long", word + " " + word + " " + word}}),
            "  a     first\n"
            "  long  " +
                word + " " + word + "\n        " + word + "\n");
}

TEST(TextLayoutTest, AMessageHasNoControlCharacters) {
  EXPECT_EQ(MessageLine("no such file: ä"), "no such file: ä");
  EXPECT_EQ(MessageLine(std::string("a\x1b[31m\0\t\x7f", 9)), "a\\x1b[31m\\x00\\x09\\x7f");
}

TEST(TextLayoutTest, OfALongMessageTheEndsAreShown) {
  const std::string longest(4000, 'x');
  EXPECT_EQ(MessageLine(longest), longest);
  EXPECT_EQ(MessageLine(longest + "y"),
            longest.substr(500) + "[... 1 byte ...]" + longest.substr(3501) + "y");
  // Characters stay whole.
  std::string umlauts = "x";
  for (int i = 0; i < 3000; ++i) umlauts += "ä";
  EXPECT_EQ(MessageLine(umlauts),
            umlauts.substr(0, 3499) + "[... 2002 bytes ...]" + umlauts.substr(5501));
}

TEST(TextLayoutTest, ColumnsAreAsWideAsTheirWidestCell) {
  const std::vector<Cells> rows = {{"a", "bbb"}, {"aa", "b", "c"}};
  const std::vector<Column> columns = ColumnsFor(rows);
  EXPECT_EQ(AlignedRow(rows[0], columns), "a   bbb");
  EXPECT_EQ(AlignedRow(rows[1], columns), "aa  b    c");
}

TEST(TextLayoutTest, AlignsToTheRight) {
  const std::vector<Column> columns = {{.width = 3, .right_aligned = true},
                                       {.width = 2, .right_aligned = true}};
  EXPECT_EQ(AlignedRow({"1", "2"}, columns), "  1   2");
  EXPECT_EQ(AlignedRow({"1234", "5"}, columns), "1234   5");
}

}  // namespace
}  // namespace logitchain
