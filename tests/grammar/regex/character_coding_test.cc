#include "logitchain/grammar/regex/character_coding.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "logitchain/core/decode/utf8.h"
#include "logitchain/grammar/regex/code_point_set.h"
#include "logitchain/grammar/regex/regex_arena.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

bool Matches(RegexArena& arena, RegexId id, absl::string_view text) {
  for (const char byte : text) id = arena.Derivative(id, static_cast<uint8_t>(byte));
  return arena.MatchesEmpty(id);
}

TEST(Utf8CodingTest, TwoBytesAreACharacterExactlyIfIsUtf8SaysSo) {
  RegexArena arena;
  Utf8Coding coding(arena);
  const RegexId any = coding.AnyText();
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      for (const absl::string_view tail : {"", "\x80", "\x80\x80", "\xBF\xBF"}) {
        std::string text = {static_cast<char>(first), static_cast<char>(second)};
        text.append(tail.data(), tail.size());
        ASSERT_EQ(Matches(arena, any, text), IsUtf8(text)) << first << " " << second;
      }
    }
  }
}

TEST(Utf8CodingTest, RangesEndWhereTheyEnd) {
  RegexArena arena;
  Utf8Coding coding(arena);
  // Over the borders between one, two, three and four bytes.
  const RegexId id = coding.Character(CodePointSet::Range(0x7E, 0x1F600));
  EXPECT_FALSE(Matches(arena, id, "\x7D"));
  EXPECT_TRUE(Matches(arena, id, "\x7E"));
  EXPECT_TRUE(Matches(arena, id, "\u00E9"));
  EXPECT_TRUE(Matches(arena, id, "\u3042"));
  EXPECT_TRUE(Matches(arena, id, "\U0001F600"));
  EXPECT_FALSE(Matches(arena, id, "\U0001F601"));
  EXPECT_FALSE(Matches(arena, id, "\u00E9\u00E9"));
}

TEST(JsonStringCodingTest, ACharacterInEachWayToWriteIt) {
  RegexArena arena;
  JsonStringCoding coding(arena);
  const RegexId newline = coding.Character(CodePointSet::Of('\n'));
  EXPECT_FALSE(Matches(arena, newline, "\n"));
  EXPECT_TRUE(Matches(arena, newline, "\\n"));
  EXPECT_TRUE(Matches(arena, newline, "\\u000a"));
  EXPECT_TRUE(Matches(arena, newline, "\\u000A"));
  EXPECT_FALSE(Matches(arena, newline, "\\u000b"));
  const RegexId slash = coding.Character(CodePointSet::Of('/'));
  EXPECT_TRUE(Matches(arena, slash, "/"));
  EXPECT_TRUE(Matches(arena, slash, "\\/"));
  const RegexId quote = coding.Character(CodePointSet::Of('"'));
  EXPECT_FALSE(Matches(arena, quote, "\""));
  EXPECT_TRUE(Matches(arena, quote, "\\\""));
  const RegexId e_acute = coding.Character(CodePointSet::Of(0xE9));
  EXPECT_TRUE(Matches(arena, e_acute, "\u00E9"));
  EXPECT_TRUE(Matches(arena, e_acute, "\\u00e9"));
}

TEST(JsonStringCodingTest, CharactersAboveFFFFAreTwoEscapes) {
  RegexArena arena;
  JsonStringCoding coding(arena);
  // U+1F3FC is D83C DFFC; U+1F601 is D83D DE01.
  const RegexId id = coding.Character(CodePointSet::Range(0x1F3FC, 0x1F601));
  EXPECT_FALSE(Matches(arena, id, "\\ud83c\\udffb"));
  EXPECT_TRUE(Matches(arena, id, "\\ud83c\\udffc"));
  EXPECT_TRUE(Matches(arena, id, "\\uD83D\\uDC00"));
  EXPECT_TRUE(Matches(arena, id, "\\uD83D\\uDE01"));
  EXPECT_FALSE(Matches(arena, id, "\\uD83D\\uDE02"));
  EXPECT_TRUE(Matches(arena, id, "\U0001F600"));
  // All of the planes above the first.
  const RegexId any = coding.Character(CodePointSet::All());
  EXPECT_TRUE(Matches(arena, any, "\\udbff\\udfff"));
  EXPECT_TRUE(Matches(arena, any, "\\ud800\\udc00"));
  EXPECT_FALSE(Matches(arena, any, "\\ud800"));
  EXPECT_FALSE(Matches(arena, any, "\\udc00"));
  EXPECT_FALSE(Matches(arena, any, "\\udc00\\ud800"));
}

// nlohmann reads each character back from what the coding accepts as that character alone.
TEST(JsonStringCodingTest, AgreesWithAParserOnEscapesOfTheBasicPlane) {
  RegexArena arena;
  JsonStringCoding coding(arena);
  const RegexId any = coding.Character(CodePointSet::All());
  constexpr absl::string_view kHex = "0123456789abcdef";
  for (int unit = 0; unit <= 0xFFFF; unit += 37) {
    std::string text = "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) text += kHex[(unit >> shift) & 15];
    ASSERT_EQ(Matches(arena, any, text), nlohmann::json::accept('"' + text + '"')) << text;
  }
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text = {'\\', static_cast<char>(byte)};
    ASSERT_EQ(Matches(arena, any, text), nlohmann::json::accept('"' + text + '"')) << text;
    const std::string raw(1, static_cast<char>(byte));
    ASSERT_EQ(Matches(arena, any, raw), nlohmann::json::accept('"' + raw + '"')) << byte;
  }
}

}  // namespace
}  // namespace logitchain
