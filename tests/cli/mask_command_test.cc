#include "logitchain/cli/mask_command.h"

#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/cli/command_result.h"
#include "logitchain/tests/testing/temp_folder.h"

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

TEST_F(MaskCommandTest, UsageErrors) {
  EXPECT_EQ(Call({"mask"}).exit_code, 2);
  EXPECT_THAT(Call({"mask", "--json", "--regex=a"}).err,
              HasSubstr("there must be one of --grammar, --regex and --json"));
  EXPECT_THAT(Call({"mask", "--grammar=x.txt"}).err,
              HasSubstr("must end in .gbnf, .ebnf or .json"));
  EXPECT_THAT(Call({"mask", "--regex=a(", "--vocab", vocab_}).err, HasSubstr("1:"));
}

}  // namespace
}  // namespace logitchain
