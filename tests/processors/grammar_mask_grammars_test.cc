// The grammars of grammar_mask, in chains over a small vocabulary.

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/text_end.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/registry/environment.h"
#include "logitchain/tests/testing/status_matchers.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {
namespace {

using ::testing::HasSubstr;

// 0 "a", 1 "b", 2 "ab", 3 "[", 4 "]", 5 ",", 6 "1", 7 "<", 8 "call>", 9 "call>[", 10 the end, 11 a
// special token; the logits have one more place.
constexpr int32_t kVocabSize = 13;
constexpr TokenId kStop = 10;

Environment SmallEnvironment() {
  return {.vocab_size = kVocabSize,
          .vocabulary = Vocabulary::Create({.token_bytes = {"a", "b", "ab", "[", "]", ",", "1", "<",
                                                            "call>", "call>[", "", ""},
                                            .special_ids = {10, 11},
                                            .stop_ids = {kStop}})
                            .value()};
}

absl::StatusOr<std::unique_ptr<Chain>> MakeMasked(const std::string& fields,
                                                  const Environment& environment) {
  const absl::StatusOr<ChainText> text = ParseChainText(
      absl::StrCat("processors { grammar_mask { ", fields, " } } draw { greedy {} }"), "c");
  if (!text.ok()) return text.status();
  return CreateChain(*text, environment);
}

// The tokens that a greedy chain takes from logits that prefer high ids, at most `limit`.
std::vector<TokenId> Greedy(Chain& chain, int limit = 8) {
  std::vector<float> logits(kVocabSize);
  for (int id = 0; id < kVocabSize; ++id) logits[id] = static_cast<float>(id);
  logits[kStop] = 0.5;  // Above "a" alone.
  std::vector<TokenId> tokens;
  for (int i = 0; i < limit; ++i) {
    const absl::StatusOr<Sample> sample = chain.Sample(logits);
    EXPECT_THAT(sample, IsOk());
    if (!sample.ok()) break;
    tokens.push_back(sample->token);
    if (sample->token == kStop) break;
  }
  return tokens;
}

std::vector<TokenId> Greedy(const std::string& fields) {
  const auto chain = MakeMasked(fields, SmallEnvironment());
  EXPECT_THAT(chain, IsOk());
  return chain.ok() ? Greedy(**chain) : std::vector<TokenId>();
}

std::string Error(const std::string& fields) {
  return std::string(MakeMasked(fields, SmallEnvironment()).status().message());
}

using Tokens = std::vector<TokenId>;

TEST(GrammarMaskGrammarsTest, EachNotationMasks) {
  EXPECT_EQ(Greedy("regex: 'a?b1{2}'"), (Tokens{2, 6, 6, kStop}));
  EXPECT_EQ(Greedy("gbnf: 'root ::= \"[\" root \"]\" | \"ab\"'"), (Tokens{3, 3, 3, 3, 3, 3, 3, 3}));
  EXPECT_EQ(Greedy("choice: 'aab' choice: 'bb'"), (Tokens{1, 1, kStop}));
  EXPECT_EQ(Greedy("json_schema: '{\"type\": \"array\", \"items\": {\"const\": 1}, "
                   "\"minItems\": 2, \"maxItems\": 2}' max_white_space: 0"),
            (Tokens{3, 6, 5, 6, 4, kStop}));
}

TEST(GrammarMaskGrammarsTest, AnyJson) {
  const auto chain = MakeMasked("json {}", SmallEnvironment());
  ASSERT_THAT(chain, IsOk());
  for (const TokenId id : {3, 6, 5, 3, 4, 4, kStop})
    EXPECT_THAT((*chain)->Commit(id), IsOk()) << id;
  EXPECT_THAT((*chain)->Rollback(3), IsOk());
  EXPECT_FALSE((*chain)->Commit(kStop).ok());
}

TEST(GrammarMaskGrammarsTest, FilesAreRead) {
  TempFolder folder;
  const auto write = [&](const std::string& name, const std::string& content) {
    std::ofstream(folder.Path(name)) << content;
    return absl::StrCat("'", folder.Path(name), "'");
  };
  EXPECT_EQ(Greedy("choice_file: " + write("c", "ab\na\n")), (Tokens{2, kStop}));
  EXPECT_EQ(Greedy("regex_file: " + write("r", "ba\n")), (Tokens{1, 0, kStop}));
  EXPECT_EQ(Greedy("gbnf_file: " + write("g", "root ::= \"ba\"\n")), (Tokens{1, 0, kStop}));
  EXPECT_EQ(Greedy("json_schema_file: " + write("s", "{\"const\": [1]}")),
            (Tokens{3, 6, 4, kStop}));
  EXPECT_EQ(Greedy("gbnf_file: " + write("w.ebnf", "root ::= #x62 'a'\n")), (Tokens{1, 0, kStop}));
  EXPECT_EQ(Greedy("gbnf_file: " + write("w.gbnf", "root ::= #x62 'a'\n 'b'")), (Tokens{1, kStop}));
  EXPECT_THAT(Error("gbnf_file: '/no/such'"),
              HasSubstr("grammar_mask.gbnf_file cannot be read: /no/such: there is no such file"));
  const std::string bad = write("bad", "root ::= \"a\"\n  | x\n");
  EXPECT_THAT(
      Error("gbnf_file: " + bad),
      HasSubstr(absl::StrCat("grammar_mask.gbnf_file is wrong: ", folder.Path("bad"), ":2:5: ")));
  const std::string schema = write("schema", "{\"type\": 1}");
  EXPECT_THAT(Error("json_schema_file: " + schema),
              HasSubstr(absl::StrCat(folder.Path("schema"), ": #/type is a number")));
}

TEST(GrammarMaskGrammarsTest, AnEmptyFileHasNoChoiceAndAnEmptyLineIsOne) {
  TempFolder folder;
  EXPECT_THAT(Error(absl::StrCat("choice_file: '", folder.Write("none", ""), "'")),
              HasSubstr(absl::StrCat("grammar_mask.choice_file is wrong: ", folder.Path("none"),
                                     ": there is no choice; there must be at least one")));
  EXPECT_EQ(Greedy(absl::StrCat("choice_file: '", folder.Write("line", "\n"), "'")),
            (Tokens{kStop}));
}

TEST(GrammarMaskGrammarsTest, AByteOrderMarkIsNoPartOfAFile) {
  TempFolder folder;
  const std::string path = folder.Write("choices",
                                        "\xEF\xBB\xBF"
                                        "ab\na\n");
  EXPECT_EQ(Greedy(absl::StrCat("choice_file: '", path, "'")), (Tokens{2, kStop}));
}

TEST(GrammarMaskGrammarsTest, AStepWithoutATokenSaysWhatMayCome) {
  const std::vector<float> logits(kVocabSize, 0);
  const auto chain = MakeMasked("regex: 'b[xy]'", SmallEnvironment());
  ASSERT_THAT(chain, IsOk());
  EXPECT_EQ((*chain)->Sample(logits).status().message(),
            "processors[0].grammar_mask: allows no token: there may come [b]; the vocabulary has "
            "no tokens for that");
  const auto ended = MakeMasked("choice: 'b'", SmallEnvironment());
  ASSERT_THAT((*ended)->Commit(1), IsOk());
  ASSERT_THAT((*ended)->Commit(kStop), IsOk());
  EXPECT_EQ((*ended)->Sample(logits).status().message(),
            "processors[0].grammar_mask: allows no token: the text has ended");
}

TEST(GrammarMaskGrammarsTest, WhereNoStopTokenCouldComeACompleteTextEndsTheStep) {
  const Environment environment = {
      .vocab_size = 2, .vocabulary = Vocabulary::Create({.token_bytes = {"a", "b"}}).value()};
  const auto chain = MakeMasked("regex: 'ab|abc'", environment);
  ASSERT_THAT(chain, IsOk());
  ASSERT_THAT((*chain)->Commit(0), IsOk());
  ASSERT_THAT((*chain)->Commit(1), IsOk());
  const absl::Status end = (*chain)->Sample({0, 0}).status();
  EXPECT_TRUE(IsTextEnd(end)) << end;
  EXPECT_EQ(end.message(),
            "processors[0].grammar_mask: allows no token: behind \"ab\" there may come [c], or "
            "the end; the vocabulary has no tokens for that");
  ASSERT_THAT((*chain)->Rollback(1), IsOk());
  EXPECT_THAT((*chain)->Sample({0, 0}), IsOk()) << "the text cannot end there";
}

TEST(GrammarMaskGrammarsTest, ATriggerBeginsTheGrammar) {
  // Until then any token may come, but none that goes on behind the trigger.
  const auto chain =
      MakeMasked("regex: ',1' triggers { text: '<call>' } triggers { id: 11 }", SmallEnvironment());
  ASSERT_THAT(chain, IsOk());
  for (const TokenId id : {4, 7}) ASSERT_THAT((*chain)->Commit(id), IsOk());
  EXPECT_FALSE((*chain)->Commit(9).ok());
  const auto fork = (*chain)->Fork();
  ASSERT_THAT((*chain)->Commit(8), IsOk());
  EXPECT_EQ(Greedy(**chain), (Tokens{5, 6, kStop}));
  // The special token 11, which the greedy chain prefers to what may come before it.
  std::vector<float> logits(kVocabSize);
  logits[9] = 2;
  logits[11] = 1;
  EXPECT_EQ(fork->Sample(logits)->token, 11) << "not 9, which goes beyond the trigger";
  EXPECT_EQ(Greedy(*fork), (Tokens{5, 6, kStop}));
  ASSERT_THAT(fork->Rollback(4), IsOk());
  EXPECT_THAT(fork->Commit(0), IsOk());
}

TEST(GrammarMaskGrammarsTest, ATokenThatHasATriggerInItMustEndWithIt) {
  const Environment environment = {
      .vocab_size = 5,
      .vocabulary =
          Vocabulary::Create({.token_bytes = {"1", "a<>1", "a<>", "<>1", ""}, .stop_ids = {4}})
              .value()};
  const auto chain = MakeMasked("regex: '1' triggers { text: '<>' }", environment);
  ASSERT_THAT(chain, IsOk());
  EXPECT_FALSE((*chain)->Commit(1).ok());
  EXPECT_EQ((*chain)->Sample({0, 4, 2, 3, 1})->token, 2) << "not 1 or 3, which go beyond it";
  EXPECT_EQ((*chain)->Sample({0, 4, 2, 3, 1})->token, 0);
}

TEST(GrammarMaskGrammarsTest, ErrorsNameTheFieldAndThePlace) {
  EXPECT_THAT(Error("gbnf: 'root ::= x'"), HasSubstr("grammar_mask.gbnf is wrong: 1:10: "));
  EXPECT_THAT(Error("regex: 'a('"), HasSubstr("grammar_mask.regex is wrong: 1:"));
  EXPECT_THAT(Error("json_schema: '{\"type\": 3}'"),
              HasSubstr("grammar_mask.json_schema is wrong: #/type"));
  EXPECT_THAT(
      Error("regex: 'a' gbnf: 'b'"),
      HasSubstr("grammar_mask has more than one grammar: gbnf, regex; use a grammar_mask for "
                "each"));
  EXPECT_THAT(Error("regex: 'a' max_white_space: 3"),
              HasSubstr("grammar_mask.max_white_space is set; only json_schema and json have it"));
  EXPECT_THAT(Error("json {} lenient: true"), HasSubstr("lenient is set; only json_schema"));
  EXPECT_THAT(Error("json {} property_order: DECLARED"),
              HasSubstr("property_order is set; only json_schema"));
  EXPECT_THAT(Error("allowed_ids: 1 triggers { id: 1 }"), HasSubstr("triggers are set"));
  EXPECT_EQ(Error("json {} triggers {}"),
            "c:1:37: processors[0].grammar_mask.triggers[0] must have an id or a text");
  EXPECT_EQ(Error("json {} triggers { id: 12 }"),
            "c:1:14: processors[0].grammar_mask.triggers are wrong: the trigger 12 is not in the "
            "vocabulary, [0, 12)");
  EXPECT_EQ(
      Error("json {} triggers { id: 99 }"),
      "c:1:48: processors[0].grammar_mask.triggers[0].id is 99; it must be in the vocabulary, "
      "[0, 13)");
  EXPECT_EQ(
      Error("gbnf_file: ''"),
      "c:1:29: processors[0].grammar_mask.gbnf_file cannot be read: the name of the file is empty");
  EXPECT_THAT(std::string(MakeMasked("json {}", {.vocab_size = 3}).status().message()),
              HasSubstr("grammar_mask.json needs a vocabulary"));
}

}  // namespace
}  // namespace logitchain
