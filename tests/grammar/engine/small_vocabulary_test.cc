// Masks over a byte-pair vocabulary of 1,000 tokens: small_vocabulary.tiktoken, whose pairs are
// those of this project's own documents, of JSON and of a few Japanese sentences. At every step of
// a text each token of the mask is tried, one by one.

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/core/vocabulary_files/vocabulary_file.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/matcher.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/source/grammar_source.h"
#include "logitchain/grammar/vocab/longest_tokens.h"
#include "logitchain/tests/grammar/engine/mask_words.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

constexpr TokenId kStop = 1000;

std::shared_ptr<const Vocabulary> SmallVocabulary() {
  const std::string path =
      absl::StrCat(std::getenv("TEST_SRCDIR"), "/", std::getenv("TEST_WORKSPACE"),
                   "/tests/grammar/engine/small_vocabulary.tiktoken");
  return ReadVocabularyFile(path, {.stop_ids = {kStop}}).value();
}

struct TextCase {
  std::string name;
  GrammarSource source;
  std::string text;

  friend void PrintTo(const TextCase& c, std::ostream* out) { *out << c.name; }
};

class SmallVocabularyTest : public testing::TestWithParam<TextCase> {};

TEST_P(SmallVocabularyTest, EachMaskSaysOfEachTokenWhatTheParserSays) {
  const std::shared_ptr<const Vocabulary> vocabulary = SmallVocabulary();
  ASSERT_EQ(vocabulary->size(), kStop + 1);
  const auto index = std::make_shared<const TokenIndex>(vocabulary);
  const absl::StatusOr<ParsedGrammar> parsed = ParseGrammar(GetParam().source);
  ASSERT_THAT(parsed, IsOk());
  Matcher matcher = MatcherOf(parsed->grammar, index);
  std::vector<TokenId> text = LongestTokens(*vocabulary).Split(GetParam().text);
  text.push_back(kStop);
  for (const TokenId id : text) {
    const std::vector<TokenId> allowed = Allowed(matcher, vocabulary->size());
    std::vector<TokenId> tried;
    for (TokenId any = 0; any < vocabulary->size(); ++any) {
      if (matcher.Explain(any)->is_allowed) tried.push_back(any);
    }
    EXPECT_EQ(allowed, tried);
    ASSERT_THAT(matcher.Accept(id), IsOk());
  }
}

using Notation = GrammarSource::Notation;

INSTANTIATE_TEST_SUITE_P(
    , SmallVocabularyTest,
    testing::Values(
        TextCase{"AnyJson",
                 {.notation = Notation::kJson},
                 "{\"id\": -12.5e+3, \"name\": \"Jos\u00e9 \\\"\\u00e9\\\" 日本\",\n  \"tags\": "
                 "[true, null, {}, [[]]]}"},
        TextCase{"ABoundedString",
                 {.notation = Notation::kJsonSchema,
                  .text = R"({"type": "string", "minLength": 2, "maxLength": 7})"},
                 "\"a日 \\n本c\""},
        TextCase{"AnObjectInAnyOrder",
                 {.notation = Notation::kJsonSchema,
                  .text = R"({"type": "object", "required": ["name", "id"],
                    "properties": {"id": {"type": "integer"}, "name": {"enum": ["id", "name"]},
                                   "names": {"type": "array", "maxItems": 2}}})"},
                 R"({"names": [1, "x"], "ids": null, "id": 3, "name": "name"})"},
        TextCase{"AFormat",
                 {.notation = Notation::kJsonSchema,
                  .text = R"({"type": "string", "format": "date-time"})"},
                 "\"2024-02-29T03:04:05Z\""},
        TextCase{"Arithmetic",
                 {.notation = Notation::kGbnf,
                  .text = "root ::= sum\nsum ::= factor (ws [-+*/] ws factor)*\n"
                          "factor ::= [0-9]+ | [a-z]+ | \"(\" ws sum ws \")\"\nws ::= [ \\n]*"},
                 "(12 + alpha)*  (x-3)"},
        TextCase{"Ambiguous",
                 {.notation = Notation::kGbnf, .text = "root ::= [a-z]+ ([ ]? [a-z]+)*"},
                 "that is the rule of the text"},
        TextCase{"AnyCharactersButOne",
                 {.notation = Notation::kGbnf, .text = "root ::= [^e]* \"e\""},
                 "that \"日本\" none"},
        // What ends anywhere, with something behind that may begin like it.
        TextCase{"AnyTextAndMore",
                 {.notation = Notation::kGbnf,
                  .text = "root ::= any \"end\" list\nany ::= [^\\n]*\n"
                          "list ::= \"(\" list \")\" | [a-z]*"},
                 "the end and 日本 end(the)"},
        TextCase{"ABoundedTextAndMore",
                 {.notation = Notation::kGbnf,
                  .text = "root ::= few list\nfew ::= [^\\n]{0,12}\n"
                          "list ::= \"(\" list \")\" | \"x\"*"},
                 "the 日本 (x)"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace logitchain
