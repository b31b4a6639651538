#include "logitchain/grammar/syntax/gbnf_syntax.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "logitchain/tests/grammar/syntax/grammar_case.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

class GbnfTest : public testing::TestWithParam<GrammarCase> {};

TEST_P(GbnfTest, DerivesWhatTheRulesSay) { CheckCase(GetParam(), GbnfGrammar(GetParam().grammar)); }

INSTANTIATE_TEST_SUITE_P(
    Grammars, GbnfTest,
    testing::Values(
        GrammarCase{"Text", "root ::= \"ab\"", {"ab"}, {"", "a", "abc"}},
        GrammarCase{"SingleQuotes", "root ::= 'a\"b' \"c'd\"", {"a\"bc'd"}, {}},
        GrammarCase{"EmptyText", "root ::= \"\" \"a\"", {"a"}, {""}},
        GrammarCase{"Escapes",
                    R"(root ::= "\n\r\t\\\"\[\]\x41\u00e9\U0001F600" "\x80")",
                    {"\n\r\t\\\"[]Aé😀\u0080"},
                    {"\n\r\t\\\"[]Aé😀\x80"}},
        GrammarCase{"Class", "root ::= [a-cx\\-\\]é]", {"a", "c", "x", "-", "]", "é"}, {"d", "\\"}},
        GrammarCase{"ClassWithHyphenAtItsEnd", "root ::= [+-] [-+]", {"+-", "-+"}, {",-"}},
        GrammarCase{"NegatedClassIsOfCharacters",
                    "root ::= [^a-cé]",
                    {"d", "è", "あ", "😀", "\n"},
                    {"a", "é", "\xC3", "", "dd"}},
        GrammarCase{"Any", "root ::= .", {"a", "\n", "あ"}, {"", "ab", "\xE3"}},
        GrammarCase{"Sequence", "root ::= \"a\" [b] \"c\"", {"abc"}, {"ab", "ac"}},
        GrammarCase{"Alternatives", "root ::= \"a\" | \"b\" \"c\" |", {"a", "bc", ""}, {"b", "ac"}},
        GrammarCase{"Groups", "root ::= (\"a\" | \"b\")+ (\"c\")", {"abc", "bc"}, {"c", "ab"}},
        GrammarCase{"Quantifiers",
                    "root ::= \"a\"? \"b\"* \"c\"+",
                    {"c", "abbcc", "acc"},
                    {"aac", "ab", ""}},
        GrammarCase{"Counts",
                    "root ::= \"a\"{2} \"b\"{1,} \"c\"{,2} \"d\"{ 1 , 2 }",
                    {"aabd", "aabbbccdd"},
                    {"abd", "aaabd", "aad", "aabcccd", "aabc", "aabddd"}},
        GrammarCase{"CountZero", "root ::= \"a\"{0} \"b\"{0,0} \"c\"", {"c"}, {"ac", "bc"}},
        GrammarCase{"QuantifierOfAQuantifier", "root ::= (\"a\"{2})*", {"", "aa", "aaaa"}, {"aaa"}},
        GrammarCase{"Comments",
                    "# first\nroot ::= \"a\" # \"b\"\n  \"c\" /* \"d\" \n */ \"#\" # end",
                    {"ac#"},
                    {"a", "abc"}},
        GrammarCase{"ANumberIsAComment", "root ::= [#x41] #x41\n", {"#", "x", "4"}, {"A"}},
        GrammarCase{"SeveralLines",
                    "root ::=\n  \"a\"\n  | (\n    b\n  )\n\n  | \"c\"\nb ::= \"b\"",
                    {"a", "b", "c"},
                    {"ab"}},
        GrammarCase{
            "SpaceBeforeTheSign", "root\n::= a-1 a_2\na-1 ::= \"x\"\na_2::=\"y\"", {"xy"}, {}},
        GrammarCase{"TheFirstRuleStartsIfThereIsNoRoot", "a ::= b b\nb ::= \"x\"", {"xx"}, {"x"}},
        GrammarCase{"RootStartsWhereverItIs", "a ::= \"x\"\nroot ::= a a", {"xx"}, {"x"}},
        GrammarCase{"LeftRecursion", "root ::= root \"a\" | \"b\"", {"b", "baa"}, {"", "ab", "bb"}},
        GrammarCase{"HiddenLeftRecursion",
                    "root ::= e root \"a\" | \"b\"\ne ::= \"\" | \"c\"",
                    {"b", "ba", "cba", "ccbaa", "cbaa"},
                    {"cb", "a"}},
        GrammarCase{
            "AmbiguityAndEmptyRules", "root ::= root root | \"a\" | \"\"", {"", "a", "aaa"}, {"b"}},
        GrammarCase{"NestedBrackets", "root ::= \"(\" root \")\" |", {"", "(())"}, {"(", "())"}}),
    [](const auto& info) { return info.param.name; });

class BadGbnfTest : public testing::TestWithParam<BadGrammar> {};

TEST_P(BadGbnfTest, SaysWhereAndWhat) {
  EXPECT_THAT(GbnfGrammar(GetParam().grammar),
              StatusIs(absl::StatusCode::kInvalidArgument, GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Grammars, BadGbnfTest,
    testing::Values(
        BadGrammar{"", "1:1: there is no rule"}, BadGrammar{"# nothing\n", "2:1: there is no rule"},
        BadGrammar{"\"a\"", "1:1: a rule must be a name, ::=, and what it stands for"},
        BadGrammar{"root = a", "1:1: a rule must be a name, ::=, and what it stands for"},
        BadGrammar{"root ::= a\n b", "1:10: rule a is not defined"},
        BadGrammar{"root ::= \"a\"\nroot ::= \"b\"", "2:1: rule root is defined already"},
        BadGrammar{"root ::= \"é\" \"ab\n\"", "1:14: the text has no closing quote in its line"},
        BadGrammar{"root ::= [a-z", "1:10: there is no ] for this [ in its line"},
        BadGrammar{"root ::= []", "1:10: the class is empty; nothing matches it"},
        BadGrammar{"root ::= [z-a]", "1:11: a range must not end before its start"},
        BadGrammar{"root ::= (\"a\" | \"b\"\n", "1:10: there is no ) for this ("},
        BadGrammar{"root ::= \"a\")", "1:13: there is no ( for this )"},
        BadGrammar{"root ::= *", "1:10: there is nothing to repeat"},
        BadGrammar{"root ::= \"a\"{3,2}", "1:13: the largest count is less than the smallest"},
        BadGrammar{"root ::= \"a\"{x}", "1:13: a count must be {2}, {2,}, {,4} or {2,4}"},
        BadGrammar{"root ::= \"a\"{}", "1:13: a count must be {2}, {2,}, {,4} or {2,4}"},
        BadGrammar{"root ::= \"a\"{,}", "1:13: a count must be {2}, {2,}, {,4} or {2,4}"},
        BadGrammar{"root ::= \"a\"{9999999}",
                   "1:14: the number is 9999999; it must be at most 1000000"},
        BadGrammar{"root ::= \"\\q\"", "1:11: this escape is not known"},
        BadGrammar{"root ::= \"\\x4\"", "1:13: must be 2 hexadecimal digits"},
        BadGrammar{"root ::= \"\\uD800\"", "1:13: U+D800 is no character"},
        BadGrammar{"root ::= <think>", "1:10: tokens are not supported; a grammar is one of text"},
        BadGrammar{"root ::= !<[1000]>",
                   "1:10: tokens are not supported; a grammar is one of text"},
        BadGrammar{"root ::= [a-z] - [x]",
                   "1:16: the difference of two expressions is not supported"},
        BadGrammar{"root ::= /* \"a\"", "1:10: the comment has no end"},
        BadGrammar{"root ::= \"a\" ; b", "1:14: this begins no expression"},
        BadGrammar{"root ::= \"\xFF\"", "1:11: is not UTF-8"},
        BadGrammar{"root ::= " + std::string(201, '('),
                   "1:210: is nested deeper than 200 groups"}));

class W3cTest : public testing::TestWithParam<GrammarCase> {};

TEST_P(W3cTest, DerivesWhatTheRulesSay) { CheckCase(GetParam(), W3cGrammar(GetParam().grammar)); }

INSTANTIATE_TEST_SUITE_P(
    Grammars, W3cTest,
    testing::Values(
        GrammarCase{"Character", "root ::= #x41 \"b\"", {"Ab"}, {"", "b", "#x41b"}},
        GrammarCase{"AtTheEnd", "root ::= \"b\" #x1F600", {"b😀"}, {"b"}},
        GrammarCase{"Quantified", "root ::= (#x9|#xa)* #xD?", {"", "\t\n\r"}, {"\r\r"}},
        GrammarCase{"LeadingZeros", "root ::= #x00000a #x000041", {"\nA"}, {"\n"}},
        GrammarCase{"Class", "root ::= [#x41-#x43z]", {"A", "B", "C", "z"}, {"D", "#", "x", "4"}},
        GrammarCase{"ClassOfSeveral", "root ::= [#x20#x9-#xA_#xxy]+", {" \t\n_#xy"}, {"2", "A"}},
        GrammarCase{"NegatedClass", "root ::= [^#xA]", {"x", "#", "é"}, {"\n"}},
        GrammarCase{"InATextNothingIsANumber", "root ::= \"#x41\" '#x42'", {"#x41#x42"}, {"AB"}},
        GrammarCase{"OtherSignsBeginComments",
                    "#x41g\nroot ::= #xyz\n \"a\" # b #x42\n #x0000041\n #x\n #41\n",
                    {"a"},
                    {"aB", "Aa"}},
        GrammarCase{"NextRule", "root ::= #x41 b\nb ::= #x42\n", {"AB"}, {"A"}}),
    [](const auto& info) { return info.param.name; });

class BadW3cTest : public testing::TestWithParam<BadGrammar> {};

TEST_P(BadW3cTest, SaysWhereAndWhat) {
  EXPECT_THAT(W3cGrammar(GetParam().grammar),
              StatusIs(absl::StatusCode::kInvalidArgument, GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Grammars, BadW3cTest,
    testing::Values(
        BadGrammar{"root ::= #x110000", "1:12: U+110000 is no character"},
        BadGrammar{"root ::= [a#xd800]", "1:14: U+D800 is no character"},
        BadGrammar{"root ::= [#x0000041]",
                   "1:11: #x has 7 hexadecimal digits; it must have at most 6"},
        BadGrammar{"root ::= [#x43-#x41]", "1:11: a range must not end before its start"},
        BadGrammar{"#x41 ::= 'a'", "1:1: a rule must be a name, ::=, and what it stands for"}));

TEST(GbnfSyntaxTest, ATooLongGrammarIsRefused) {
  EXPECT_THAT(GbnfGrammar(std::string(5'000'000, ' ')),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "has 5000000 bytes; a grammar has at most 4194304"));
}

TEST(GbnfSyntaxTest, TooManyRulesAreAnError) {
  std::string grammar = "root ::= \"a\"\n";
  for (int i = 0; i < 300'000; ++i) grammar += "r" + std::to_string(i) + "::=.\n";
  EXPECT_THAT(GbnfGrammar(grammar), StatusIs(absl::StatusCode::kResourceExhausted,
                                             "the grammar has more than 262144 rules"));
}

}  // namespace
}  // namespace logitchain
