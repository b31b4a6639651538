// The grammars of examples/grammars.

#include <fstream>
#include <iterator>
#include <string>

#include "gtest/gtest.h"
#include "logitchain/grammar/syntax/ebnf_syntax.h"
#include "logitchain/tests/grammar/syntax/grammar_case.h"

namespace logitchain {
namespace {

std::string ReadGrammar(const std::string& filename) {
  std::ifstream file("examples/grammars/" + filename);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// `grammar` is the file's name.
class ExampleGrammarsTest : public testing::TestWithParam<GrammarCase> {};

TEST_P(ExampleGrammarsTest, DerivesItsTexts) {
  CheckCase(GetParam(), GbnfOrEbnfGrammar(ReadGrammar(GetParam().grammar)));
}

INSTANTIATE_TEST_SUITE_P(
    Files, ExampleGrammarsTest,
    testing::Values(
        GrammarCase{"Json",
                    "json.gbnf",
                    {"null", "[]", "[ ]", R"({"a": [1, -2.5e+3, true], "b\n": {}})", "\"\\u00e9é\"",
                     "[[[[[[[[[[[[]]]]]]]]]]]]"},
                    {"", "[1,]", "{a: 1}", "01", "\"\n\"", "[1 2]", R"({"a" 1})", "1.", " 1",
                     "[[[[[[[[[[[[]]]]]]]]]]]", "[                 1]"}},
        GrammarCase{"Arithmetic",
                    "arithmetic.gbnf",
                    {"1=1\n", "(1 + x) * 2 = 2 + 2*x\n", "-(a - -b_2)/3.5=4\nx=y\n"},
                    {"1\n", "1=1", "1=1\n\n", "(1=1\n", "1 +=1\n", "1  + 2=3\n"}},
        GrammarCase{"List",
                    "list.gbnf",
                    {"- milk\n", "- fruit\n  - äpfel\n  - plums - ripe\n- bread\n"},
                    {"", "milk\n", "- milk", "  - plums\n", "-  milk\n",
                     "- 1\n- 2\n- 3\n- 4\n- 5\n- 6\n- 7\n- 8\n- 9\n- 10\n- 11\n"}},
        GrammarCase{"CLike",
                    "c_like.gbnf",
                    {"void f() {\n}\n",
                     "int gcd(int a, int b) {\n  while (b != 0) {\n    int t = b;\n    b = a % b;\n"
                     "    a = t;\n  }\n  return a;\n}\n",
                     "int f(int n) {\n  if (n < 2) {\n    return n;\n  } else if (n == 'x') {\n"
                     "    log(n, 2.5);\n  } else {\n  }\n  return f(n - 1) + (n * 2);\n}\n"},
                    {"", "int f() {\n}", "int f( {\n}\n", "f() {\n}\n", "int f() {\n  return\n}\n",
                     "int f() {\n  if (n) {\n  }\n}\n", "int f() {\n  x = 1 +;\n}\n"}},
        GrammarCase{"Chess",
                    "chess.gbnf",
                    {"1. e4\n", "1. e4 e5\n2. Nf3 Nc6\n3. Bb5 a6\n",
                     "1. exd8=Q+ O-O-O#\n12. Rae1\n", "9. O-O R1xa3\n"},
                    {"", "e4\n", "1. e9\n", "1. e4 e5", "1. e4\n2. e5\n", "1. Pe4\n", "0. e4\n"}},
        GrammarCase{"Japanese",
                    "japanese.gbnf",
                    {"これはペンです。", "今日は、いい天気。\nそう？", "人々は２つ見た！ はい。"},
                    {"", "これは", "hello。", "これは\xE3\x83", "、これ。"}},
        GrammarCase{"Csv",
                    "csv.ebnf",
                    {"a,1,x y\n", ",,\n", "-12,\"a, \"\"b\"\"\",c\n1,2,3\n"},
                    {"a,1\n", "a,1,b", "a,1,\"b\n", "A,1,b\n"}}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace logitchain
