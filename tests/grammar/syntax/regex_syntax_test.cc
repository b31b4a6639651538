#include "logitchain/grammar/syntax/regex_syntax.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/grammar/regex/character_coding.h"
#include "logitchain/grammar/regex/regex_arena.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

bool Matches(RegexArena& arena, RegexId id, absl::string_view text) {
  for (const char byte : text) id = arena.Derivative(id, static_cast<uint8_t>(byte));
  return arena.MatchesEmpty(id);
}

struct PatternCase {
  std::string pattern;
  std::vector<std::string> accepted;
  std::vector<std::string> refused;

  friend void PrintTo(const PatternCase& c, std::ostream* out) {
    *out << absl::CHexEscape(c.pattern);
  }
};

void Check(const PatternCase& pattern, RegexExtent extent) {
  RegexArena arena;
  Utf8Coding coding(arena);
  const absl::StatusOr<RegexId> id = CompileRegex(pattern.pattern, extent, coding);
  ASSERT_THAT(id, IsOk());
  for (const std::string& text : pattern.accepted) EXPECT_TRUE(Matches(arena, *id, text)) << text;
  for (const std::string& text : pattern.refused) EXPECT_FALSE(Matches(arena, *id, text)) << text;
}

class WholeTextTest : public testing::TestWithParam<PatternCase> {};

TEST_P(WholeTextTest, MatchesAllOfAText) { Check(GetParam(), RegexExtent::kWholeText); }

INSTANTIATE_TEST_SUITE_P(
    Patterns, WholeTextTest,
    testing::Values(
        PatternCase{"", {""}, {"a"}}, PatternCase{"abc", {"abc"}, {"ab", "abcd", "xabc"}},
        PatternCase{"a|bc|", {"a", "bc", ""}, {"b", "abc"}},
        PatternCase{"(a|b)*c", {"c", "abac"}, {"", "ab"}},
        PatternCase{"(?:ab)+", {"ab", "abab"}, {"", "aba"}},
        PatternCase{"(?<year>\\d{4})-\\d\\d", {"2024-05"}, {"2024-5", "24-05"}},
        PatternCase{"a{2}", {"aa"}, {"a", "aaa"}}, PatternCase{"a{2,}", {"aa", "aaaa"}, {"a"}},
        PatternCase{"a{1,3}?", {"a", "aaa"}, {"", "aaaa"}},
        PatternCase{"a*?b+?c??", {"b", "aabbc"}, {"a", "cc"}}, PatternCase{"{x}", {"{x}"}, {"x"}},
        PatternCase{"a{2}{x}", {"aa{x}"}, {"aax"}}, PatternCase{"a{2}?b", {"aab"}, {"ab"}},
        PatternCase{"{", {"{"}, {""}}, PatternCase{"}a{}", {"}a{}"}, {"}"}},
        PatternCase{"\\_\\ \\é", {"_ é"}, {"\\_"}}, PatternCase{"(?<a1>x)(?<$_>y)", {"xy"}, {"x"}},
        PatternCase{"[[:]a]", {"[a]", ":a]"}, {"a"}}, PatternCase{"[:a:]", {":", "a"}, {"b"}},
        PatternCase{"]", {"]"}, {""}}, PatternCase{"a{0}b", {"b"}, {"ab"}},
        PatternCase{".", {"a", "é", "あ", "😀"}, {"\n", "\r", "\u2028", "\u2029", "", "ab"}},
        PatternCase{"[a-cx]", {"a", "b", "c", "x"}, {"d", "-", ""}},
        PatternCase{"[^a-c]", {"d", "é", "\n"}, {"a", "b", "c"}},
        PatternCase{"[-a]", {"-", "a"}, {"b"}}, PatternCase{"[a-]", {"-", "a"}, {"b"}},
        PatternCase{"[a\\]b]", {"]"}, {"\\"}}, PatternCase{"[]", {}, {"", "a", "]"}},
        PatternCase{"[^]", {"a", "\n", "]"}, {""}},
        PatternCase{"[\\d\\-.]", {"5", "-", "."}, {"a"}}, PatternCase{"[\\b]", {"\b"}, {"b"}},
        PatternCase{"[あ-う]", {"あ", "い"}, {"え"}}, PatternCase{"\\d", {"0", "9"}, {"a", "٣"}},
        PatternCase{"\\D", {"a", "٣"}, {"0"}}, PatternCase{"\\w", {"a", "Z", "_", "7"}, {"-", "é"}},
        PatternCase{"\\W", {"-", "é"}, {"a", "_"}},
        PatternCase{"\\s", {" ", "\t", "\v", "\u00A0", "\u3000", "\uFEFF"}, {"a", "\u200B"}},
        PatternCase{"\\S", {"a"}, {" "}},
        PatternCase{"\\t\\n\\v\\f\\r\\0", {std::string("\t\n\v\f\r\0", 6)}, {"tnvfr0"}},
        PatternCase{"\\x41\\u00e9\\u{1F600}\\uD83D\\uDE00\\cA", {"Aé😀😀\x01"}, {"A"}},
        PatternCase{"\\.\\*\\/\\-\\@", {".*/-@"}, {}}, PatternCase{"\\p{L}+", {"aéあ"}, {"1", ""}},
        PatternCase{"\\p{Lu}\\p{Script=Greek}", {"Aα", "Éω"}, {"aα", "Aa"}},
        PatternCase{"\\P{L}", {"1", "-"}, {"a", "é"}}, PatternCase{"[\\p{Nd}_]", {"٣", "_"}, {"a"}},
        PatternCase{"^abc$", {"abc"}, {"abcd"}}, PatternCase{"^(a|b$)$", {"a", "b"}, {}},
        PatternCase{"a^b|c$d", {}, {"ab", "cd", "a^b"}},
        PatternCase{"(?=.*\\d)(?=.*[a-z]).{3,4}", {"a1b", "1a--"}, {"abc", "123", "a1", "a1bcd"}},
        PatternCase{"(?!foo).*", {"fo", "xfoo", ""}, {"foo", "foobar"}},
        PatternCase{"(?!-)(?:(?!--)[a-z-])?[a-z]", {"a", "ab"}, {"-a"}}));

class PartOfTextTest : public testing::TestWithParam<PatternCase> {};

TEST_P(PartOfTextTest, MatchesSomewhere) { Check(GetParam(), RegexExtent::kPartOfText); }

INSTANTIATE_TEST_SUITE_P(
    Patterns, PartOfTextTest,
    testing::Values(PatternCase{"", {"", "a"}, {}},
                    PatternCase{"b", {"b", "abc", "é\nb"}, {"", "ac"}},
                    PatternCase{"^b", {"b", "bc"}, {"ab", "a\nb"}},
                    PatternCase{"b$", {"b", "ab"}, {"bc", "b\n"}},
                    PatternCase{"^b$", {"b"}, {"ab", "bc", ""}}, PatternCase{"^$", {""}, {"a"}},
                    PatternCase{"^a|b$", {"ax", "xb", "a", "b"}, {"xa", "bx"}},
                    PatternCase{"(^|,)x(,|$)", {"x", "x,a", "a,x", "a,x,b"}, {"ax", "xa", "a,xb"}},
                    PatternCase{"x(^a|b)", {"xb", "axbc"}, {"xa", "a"}},
                    PatternCase{"a(?=b)", {"ab", "xabx"}, {"a", "ac"}},
                    PatternCase{"a(?!b)", {"a", "ac", "abac"}, {"ab", "xab"}},
                    PatternCase{"^(?!.*x)", {"", "abc"}, {"x", "abxc"}},
                    PatternCase{"^(?=.{2,3}$)a", {"ab", "abc"}, {"a", "abcd", "bab"}},
                    PatternCase{"(^a)?b", {"ab", "b", "cb"}, {"a"}}));

struct BadPattern {
  std::string pattern;
  std::string message;

  friend void PrintTo(const BadPattern& c, std::ostream* out) {
    *out << absl::CHexEscape(c.pattern);
  }
};

class BadPatternTest : public testing::TestWithParam<BadPattern> {};

TEST_P(BadPatternTest, SaysWhereAndWhat) {
  RegexArena arena;
  Utf8Coding coding(arena);
  EXPECT_THAT(CompileRegex(GetParam().pattern, RegexExtent::kWholeText, coding),
              StatusIs(absl::StatusCode::kInvalidArgument, GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Patterns, BadPatternTest,
    testing::Values(
        BadPattern{"a(b", "1:2: there is no ) for this ("},
        BadPattern{"ab)", "1:3: there is no ( for this )"},
        BadPattern{"é[a", "1:2: there is no ] for this ["},
        BadPattern{"*a", "1:1: there is nothing to repeat"},
        BadPattern{"a|{2}", "1:3: there is nothing to repeat"},
        BadPattern{"a\n*?+", "2:3: a second quantifier needs a group around the first, (?:…)"},
        BadPattern{"a**", "1:3: a second quantifier needs a group around the first, (?:…)"},
        BadPattern{"a+??", "1:4: a second quantifier needs a group around the first, (?:…)"},
        BadPattern{"a{2}+", "1:5: a second quantifier needs a group around the first, (?:…)"},
        BadPattern{"a{1,2}{3}", "1:7: a second quantifier needs a group around the first, (?:…)"},
        BadPattern{"a{,3}", "1:2: a count must have a least number; write {0,3}"},
        BadPattern{"a{,}", "1:2: a count must have a least number; write {0,}"},
        BadPattern{"a[[:alpha:]]",
                   "1:3: [:alpha:] is not supported; write \\p{L} (letters), \\p{Lu}, \\p{Ll}, "
                   "\\p{P} (punctuation), \\d, \\s or \\w"},
        BadPattern{"[^_[:^digit:]]",
                   "1:4: [:^digit:] is not supported; write \\p{L} (letters), \\p{Lu}, \\p{Ll}, "
                   "\\p{P} (punctuation), \\d, \\s or \\w"},
        BadPattern{"(?<n>a)|(?<n>b)", "1:12: the group name n is used already"},
        BadPattern{"(?<1>a)",
                   "1:4: (?< must be followed by a name of letters, digits, _ and $ that begins "
                   "with no digit, and >"},
        BadPattern{"(?<a-b>a)",
                   "1:4: (?< must be followed by a name of letters, digits, _ and $ that begins "
                   "with no digit, and >"},
        BadPattern{"(?=a)*", "1:1: an assertion cannot be repeated"},
        BadPattern{"(a(?=b))*", "1:1: an assertion inside of a repetition is not supported"},
        BadPattern{"a?^b", "1:3: ^ behind something that may be empty is not supported"},
        BadPattern{"a(?<=b)", "1:2: look-behind is not supported"},
        BadPattern{"a(?<!b)", "1:2: look-behind is not supported"},
        BadPattern{"(a)\\1", "1:4: a reference to a group is not supported"},
        BadPattern{"(?<n>a)\\k<n>", "1:8: a reference to a group is not supported"},
        BadPattern{"\\bword", "1:1: a word boundary is not supported"},
        BadPattern{"(?i)a", "1:1: this kind of group is not supported"},
        BadPattern{"\\a", "1:2: \\a is not an escape that is supported"},
        BadPattern{"\\", "1:2: a backslash must be followed by a character"},
        BadPattern{"\\xg1", "1:3: must be 2 hexadecimal digits"},
        BadPattern{"\\uD800", "1:3: U+D800 is no character"},
        BadPattern{"\\u{110000}",
                   "1:4: \\u{ must be followed by hexadecimal digits, at most 10FFFF, and }"},
        BadPattern{"\\p{Klingon}", "1:3: \\p{Klingon} is not a Unicode property that is known"},
        BadPattern{"\\pL", "1:3: \\p must be followed by a property in braces, such as \\p{L}"},
        BadPattern{"[z-a]", "1:2: a range must not end before its start"},
        BadPattern{"[\\d-z]", "1:2: a range must be from one character to another"},
        BadPattern{"a{3,2}", "1:2: the largest count is less than the smallest"},
        BadPattern{"a{2000000}", "1:3: the number is 2000000; it must be at most 1000000"},
        BadPattern{"ab\xFF", "1:3: is not UTF-8"},
        BadPattern{std::string(300, '('), "1:201: is nested deeper than 200 groups"}));

TEST(RegexSyntaxTest, ATooLongPatternIsRefused) {
  RegexArena arena;
  Utf8Coding coding(arena);
  EXPECT_THAT(CompileRegex(std::string(70'000, 'a'), RegexExtent::kWholeText, coding),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "has 70000 bytes; a regular expression has at most 65536"));
}

// What is left of n look-aheads may be any of 2^n sets of them.
TEST(RegexSyntaxTest, ManyLookAheadsAreBoundedWork) {
  std::string all;
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    absl::StrAppend(&all, "(?=.*", std::string(1, letter), ")");
  }
  EXPECT_THAT(RegexGrammar(all + ".*"), IsOk());
  EXPECT_THAT(RegexGrammar(all + "[a-y]*"),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       "1:1: it takes more than 4194304 steps to find out whether any text matches "
                       "a regular expression; it has too many look-aheads, or patterns that apply "
                       "together"));
}

TEST(RegexSyntaxTest, NestedCountsHaveAStatusAndNoEndlessWork) {
  RegexArena arena;
  Utf8Coding coding(arena);
  EXPECT_THAT(
      CompileRegex("((((a{1000}){1000}){1000}){1000}){1000}", RegexExtent::kWholeText, coding),
      IsOk());
}

}  // namespace
}  // namespace logitchain
