#include "logitchain/grammar/syntax/ebnf_syntax.h"

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "logitchain/tests/grammar/syntax/grammar_case.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

class EbnfTest : public testing::TestWithParam<GrammarCase> {};

TEST_P(EbnfTest, DerivesWhatTheRulesSay) {
  CheckCase(GetParam(), GbnfOrEbnfGrammar(GetParam().grammar));
}

INSTANTIATE_TEST_SUITE_P(
    Grammars, EbnfTest,
    testing::Values(GrammarCase{"Texts", "a = 'x\"' , \"y'\\\" ;", {"x\"y'\\"}, {"xy"}},
                    GrammarCase{"Sequence", "a = 'x', 'y' 'z';", {"xyz"}, {"xy"}},
                    GrammarCase{"Alternatives", "a = 'x' | 'y', 'z' | ;", {"x", "yz", ""}, {"y"}},
                    GrammarCase{"Optional", "a = ['x'], 'y';", {"y", "xy"}, {"xxy", "x"}},
                    GrammarCase{"Repetition", "a = {'x' | 'y'}, ('z');", {"z", "xyxz"}, {"", "x"}},
                    GrammarCase{"Count", "a = 3 * 'x', 2*('y'|'z');", {"xxxyz"}, {"xxyz", "xxxy"}},
                    GrammarCase{
                        "Comments", "(* a = 'y' *) a (* sign *) = 'x' (* end; *) ;", {"x"}, {"y"}},
                    GrammarCase{"Rules", "a = b_1, b_1;\nb_1\n=\n'x'\n;", {"xx"}, {"x"}},
                    GrammarCase{"Root", "a = 'x'; root = a, a;", {"xx"}, {"x"}},
                    GrammarCase{"LeftRecursion", "a = a, 'x' | 'y';", {"y", "yxx"}, {"x"}},
                    GrammarCase{"GbnfIsKnownByItsSign", "# a = b\nroot ::= \"=\"", {"="}, {}},
                    GrammarCase{"AGbnfTextMayHaveAnEqualsSign", "root ::= \"a=b;\"", {"a=b;"}, {}}),
    [](const auto& info) { return info.param.name; });

// Which notation it is depends on the sign where it is not known to be EBNF, and on more where it
// is.
TEST(EbnfSyntaxTest, OnlyAGrammarKnownAsEbnfHasCharactersByNumber) {
  const GrammarCase w3c = {"W3c", "# a = b\nroot ::= #x41 \"b\"", {"Ab"}, {"b", ""}};
  CheckCase(w3c, EbnfOrW3cGrammar(w3c.grammar));
  const GrammarCase gbnf = {"Gbnf", "root ::= #x41 \"b\"\n \"c\"", {"c"}, {"Ab"}};
  CheckCase(gbnf, GbnfOrEbnfGrammar(gbnf.grammar));
  const GrammarCase iso = {"Iso", "root = '#x41';", {"#x41"}, {"A"}};
  CheckCase(iso, EbnfOrW3cGrammar(iso.grammar));
}

class BadEbnfTest : public testing::TestWithParam<BadGrammar> {};

TEST_P(BadEbnfTest, SaysWhereAndWhat) {
  EXPECT_THAT(EbnfGrammar(GetParam().grammar),
              StatusIs(absl::StatusCode::kInvalidArgument, GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Grammars, BadEbnfTest,
    testing::Values(
        BadGrammar{"", "1:1: there is no rule"},
        BadGrammar{"= 'x';", "1:1: a rule must be a name, =, what it stands for, and ;"},
        BadGrammar{"a = 'x'", "1:8: the rule must end with ;"},
        BadGrammar{"a = b;", "1:5: rule b is not defined"},
        BadGrammar{"a = 'x';\na = 'y';", "2:1: rule a is defined already"},
        BadGrammar{"a = 'x;", "1:5: the text has no closing quote"},
        BadGrammar{"a = ('x';", "1:5: there is no ) for this"},
        BadGrammar{"a = ['x';", "1:5: there is no ] for this"},
        BadGrammar{"a = {'x');", "1:9: this begins no expression; a rule ends with ;"},
        BadGrammar{"a = 3 'x';", "1:5: a number must be followed by * and what it counts"},
        BadGrammar{"a = 3 * ;", "1:9: there is nothing to repeat"},
        BadGrammar{"a = b - 'x'; b = 'y';", "1:7: an exception is not supported"},
        BadGrammar{"a = ? space ?;", "1:5: a special sequence is not supported"},
        BadGrammar{"a = 'x' (* ", "1:9: the comment has no end"}));

}  // namespace
}  // namespace logitchain
