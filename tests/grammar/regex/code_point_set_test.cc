#include "logitchain/grammar/regex/code_point_set.h"

#include <optional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CodePointSetTest, RangesAreJoinedAndCutToCharacters) {
  const CodePointSet set(
      {{'c', 'e'}, {'a', 'b'}, {'d', 'k'}, {0xD7FE, 0xE001}, {0x10FFFE, 0x110005}});
  EXPECT_THAT(set.ranges(),
              ElementsAre(CodePointRange{'a', 'k'}, CodePointRange{0xD7FE, 0xD7FF},
                          CodePointRange{0xE000, 0xE001}, CodePointRange{0x10FFFE, 0x10FFFF}));
}

TEST(CodePointSetTest, ComplementIsAmongCharacters) {
  EXPECT_THAT((~CodePointSet::Of('a')).ranges(),
              ElementsAre(CodePointRange{0, 'a' - 1}, CodePointRange{'a' + 1, 0xD7FF},
                          CodePointRange{0xE000, 0x10FFFF}));
  EXPECT_THAT((~CodePointSet::All()).ranges(), IsEmpty());
  EXPECT_EQ(~CodePointSet(), CodePointSet::All());
}

TEST(CodePointSetTest, IntersectionAndUnion) {
  const CodePointSet letters = CodePointSet::Range('a', 'm');
  const CodePointSet others = CodePointSet({{'k', 'p'}, {'b', 'b'}});
  EXPECT_EQ(letters & others, CodePointSet({{'k', 'm'}, {'b', 'b'}}));
  EXPECT_EQ(letters | others, CodePointSet::Range('a', 'p'));
}

TEST(CodePointSetTest, PropertiesAreThoseOfUnicode) {
  const std::optional<CodePointSet> greek = CodePointSet::WithProperty("Script", "Greek");
  ASSERT_TRUE(greek.has_value());
  EXPECT_EQ(*greek & CodePointSet::Range(0x3B1, 0x3C9), CodePointSet::Range(0x3B1, 0x3C9));
  EXPECT_TRUE((*greek & CodePointSet::Range(0, 0x7F)).empty());
  const std::optional<CodePointSet> upper = CodePointSet::WithProperty("Lu", "");
  ASSERT_TRUE(upper.has_value());
  EXPECT_EQ(*upper & CodePointSet::Range(0, 0x7F), CodePointSet::Range('A', 'Z'));
  EXPECT_FALSE(CodePointSet::WithProperty("Klingon", "").has_value());
  EXPECT_FALSE(CodePointSet::WithProperty("Script", "Klingon").has_value());
}

}  // namespace
}  // namespace logitchain
