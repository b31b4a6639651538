#include "logitchain/cli/mask_command.h"

#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/cli/command_result.h"
#include "logitchain/tests/testing/temp_folder.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using ::testing::HasSubstr;

class MaskCommandTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_.Path(name)) << content;
    return folder_.Path(name);
  }

  TempFolder folder_;
  // 0 "a", 1 "b", 2 "ab", 3 the end.
  const std::string vocab_ = Write("vocab.json", R"({
    "added_tokens": [{"id": 3, "content": "</s>", "special": true}],
    "model": {"byte_fallback": true, "vocab": {"a": 0, "b": 1, "ab": 2}}})");
};

TEST_F(MaskCommandTest, PrintsWhatMayComeAndWhyOthersMayNot) {
  const CommandResult result = Call({"mask", "--regex=a(b|a)b?", "--vocab", vocab_, "--text", "a"});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(result.out,
            "3 of 4 tokens may come\n"
            "0  \"a\"\n"
            "1  \"b\"\n"
            "2  \"ab\"\n"
            "\n"
            "refused, the most frequent causes first:\n"
            "1  such as  (the end)  ends the text, which cannot end here: there may come [ab]\n");
}

TEST_F(MaskCommandTest, SaysWhatTheTextMustGoOnWithAndHasALimit) {
  const std::string grammar = Write("g.gbnf", "root ::= \"abab\" [ab]*");
  EXPECT_THAT(Call({"mask", "--grammar", grammar, "--vocab", vocab_, "--limit=1"}).out,
              HasSubstr("2 of 4 tokens may come; the text must go on with \"abab\"\n"
                        "0  \"a\"\n"
                        "… and 1 more\n"));
}

TEST_F(MaskCommandTest, AFileOfEbnfHasCharactersByNumber) {
  const std::string grammar = "root ::= #x62 'a'\n 'b'";
  EXPECT_THAT(Call({"mask", "--grammar", Write("g.ebnf", grammar), "--vocab", vocab_}).out,
              HasSubstr("the text must go on with \"bab\"\n"));
  EXPECT_THAT(Call({"mask", "--grammar", Write("g.gbnf", grammar), "--vocab", vocab_}).out,
              HasSubstr("the text must go on with \"b\"\n"));
}

TEST_F(MaskCommandTest, NamesTheByteAtWhichATextIsRefused) {
  const CommandResult result = Call({"mask", "--regex=ab|ba", "--vocab", vocab_, "--text", "baa"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("--text: at byte 2: token 0, \"a\", is refused at its byte 0: "
                                    "the text must end, not \"a\""));
  EXPECT_THAT(Call({"mask", "--regex=a.*", "--vocab", vocab_, "--text", "ax"}).err,
              HasSubstr("the vocabulary has no token for what begins at byte 1, \"x\""));
}

TEST_F(MaskCommandTest, AJsonSchemaSaysWhatIsIgnored) {
  const std::string schema = Write("s.json", R"({"const": "a", "format": "no such"})");
  EXPECT_THAT(Call({"mask", "--grammar", schema, "--vocab", vocab_}).err, HasSubstr("format"));
}

TEST_F(MaskCommandTest, SaysThatTheTextMayEnd) {
  EXPECT_THAT(Call({"mask", "--regex=ab?", "--vocab", vocab_, "--text", "a"}).out,
              HasSubstr("2 of 4 tokens may come; the text may end here\n1  \"b\"\n3  (the end)\n"));
}

TEST_F(MaskCommandTest, TakesTheGrammarOfAChain) {
  const auto mask = [&](const std::string& rules, const std::string& text) {
    return Call(
        {"mask", "--chain", Write("c.textproto", rules), "--vocab", vocab_, "--text", text});
  };
  EXPECT_THAT(mask("processors { grammar_mask { choice: 'ab' choice: 'bb' } }", "b").out,
              HasSubstr("1 of 4 tokens may come; the text must go on with \"b\"\n1  \"b\"\n"));
  const std::string lenient =
      "processors { grammar_mask { json_schema: '{\"items\": {\"maxLenght\": 1}}' lenient: true } "
      "}";
  EXPECT_THAT(mask(lenient, "").err, HasSubstr("not honoured: #/items/maxLenght is no keyword"));
  EXPECT_THAT(mask("processors { grammar_mask { banned_ids: 1 } }", "").err,
              HasSubstr("c.textproto: has 0 grammars; `logitchain mask` follows the grammar of a "
                        "chain that has one"));
  EXPECT_THAT(mask("processors { grammar_mask { gbnf: 'root ::= x' } }", "").err,
              HasSubstr("c.textproto:1:29: processors[0].grammar_mask.gbnf is wrong: 1:10: "));
}

TEST_F(MaskCommandTest, HonoursTheIdsOfAChain) {
  const auto mask = [&](const std::string& fields) {
    const std::string chain =
        Write("c.textproto", "processors { grammar_mask { regex: '[ab]+|' " + fields + "} }");
    return Call({"mask", "--chain", chain, "--vocab", vocab_}).out;
  };
  EXPECT_EQ(mask("banned_ids: [1, 3] allowed_ids: [0, 1]"),
            "1 of 4 tokens may come; the text may end here\n"
            "0  \"a\"\n"
            "\n"
            "refused, the most frequent causes first:\n"
            "2  such as  \"b\"   is banned by banned_ids\n"
            "1  such as  \"ab\"  is not among allowed_ids\n");
  EXPECT_THAT(mask("banned_ids: 2"), HasSubstr("3 of 4 tokens may come"));
}

TEST_F(MaskCommandTest, TheGrammarsCauseComesBeforeThatOfTheIds) {
  const std::string chain =
      Write("c.textproto", "processors { grammar_mask { regex: 'a' banned_ids: 1 } }");
  EXPECT_THAT(Call({"mask", "--chain", chain, "--vocab", vocab_}).out,
              HasSubstr("such as  \"b\"        there may come [a], not \"b\"\n"));
}

TEST_F(MaskCommandTest, BytesThatAreNoCharacterAreEscaped) {
  const std::string vocab = Write("bytes.json", R"({
    "model": {"byte_fallback": true, "vocab": {"<0xF0>": 0, "<0x9F>": 1, "é": 2}}})");
  const auto mask = [&](const std::string& regex, std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"mask", "--regex", regex, "--vocab", vocab});
    return Call(flags).out;
  };
  const std::string emoji = "é[\\u{1F600}-\\u{1F63F}]";
  EXPECT_THAT(mask(emoji, {}), HasSubstr("the text must go on with \"é\\xf0\\x9f\\x98\"\n"));
  EXPECT_THAT(mask(emoji, {"--json"}), HasSubstr(R"("forced":"é\\xf0\\x9f\\x98")"));
  EXPECT_THAT(mask(emoji, {}), HasSubstr("such as  \"\\xf0\""));
  EXPECT_THAT(mask(emoji, {"--json"}), HasSubstr(R"({"id":0,"text":"\\xf0"})"));
}

TEST_F(MaskCommandTest, JsonHasEverything) {
  const CommandResult result =
      Call({"mask", "--regex=a(b|a)b?", "--vocab", vocab_, "--text", "a", "--limit=1", "--json"});
  EXPECT_EQ(nlohmann::json::parse(result.out), nlohmann::json::parse(R"({
    "vocab_size": 4, "may_end": false, "forced": "", "allowed_count": 3,
    "allowed": [{"id": 0, "text": "a"}],
    "refused": [{"count": 1, "example": {"id": 3, "text": "", "is_stop": true},
                 "cause": "ends the text, which cannot end here: there may come [ab]"}]})"));
}

TEST_F(MaskCommandTest, UsageErrors) {
  EXPECT_EQ(Call({"mask"}).exit_code, 2);
  EXPECT_THAT(Call({"mask", "--any_json", "--regex=a"}).err,
              HasSubstr("there must be one of --chain, --grammar, --regex and --any_json"));
  EXPECT_THAT(Call({"mask", "--any_json", "--plugin=x.so"}).err,
              HasSubstr("--plugin has rules for --chain, which is not given"));
  EXPECT_THAT(Call({"mask", "--grammar=x.txt"}).err,
              HasSubstr("must end in .gbnf, .ebnf or .json"));
  EXPECT_THAT(Call({"mask", "--regex=a(", "--vocab", vocab_}).err,
              HasSubstr("logitchain mask: --regex:1:2: there is no ) for this ("));
}

}  // namespace
}  // namespace logitchain
