#include "logitchain/cli/lint_command.h"

#include <sys/stat.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/cli/command_result.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kGood[] =
    "processors { temperature { temperature: 0.8 } }\n"
    "processors { top_k { k: 40 } }\n";
constexpr char kDisordered[] =
    "processors { top_k { k: 40 } }  # forty\n"
    "# Cold.\n"
    "processors { temperature { temperature: 0.8 } }\n"
    "draw { seed: 7 }\n";
constexpr char kOrdered[] =
    "# Cold.\n"
    "processors { temperature { temperature: 0.8 } }\n"
    "processors { top_k { k: 40 } }  # forty\n"
    "draw { seed: 7 }\n";

class LintCommandTest : public testing::Test {
 protected:
  // What is printed, with the folder's name taken out.
  static std::vector<std::string> Lines(const std::string& text) {
    std::vector<std::string> lines = absl::StrSplit(text, '\n');
    for (std::string& line : lines) line = line.substr(line.rfind('/') + 1);
    if (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
  }

  TempFolder folder_;
};

TEST_F(LintCommandTest, AGoodChainIsOk) {
  const CommandResult result = Call({"lint", folder_.Write("a.textproto", kGood)});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(Lines(result.out), ElementsAre("a.textproto: ok (2 rules, dialect SPEC)"));
  EXPECT_EQ(result.err, "");
}

TEST_F(LintCommandTest, ChecksIdsAgainstAVocabulary) {
  const std::string path =
      folder_.Write("a.textproto", "processors { suppress_tokens { ids: [7, 8] } }");
  EXPECT_EQ(Call({"lint", path}).exit_code, 0);
  EXPECT_EQ(Call({"lint", path, "--vocab_size=9"}).exit_code, 0);
  const CommandResult result = Call({"lint", path, "--vocab_size=8"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(Lines(result.out),
              ElementsAre("a.textproto:1:41: processors[0].suppress_tokens.ids[1] is 8; it must be "
                          "in the vocabulary, [0, 8)"));
  EXPECT_EQ(Call({"lint", path, "--vocab_size=0"}).exit_code, 2);
}

// An id that is none is an error that the order does not mend.
TEST_F(LintCommandTest, FixChecksIdsAgainstAVocabulary) {
  const std::string text =
      "processors { top_k { k: 4 } }\nprocessors { suppress_tokens { ids: 8 } }\n";
  const std::string path = folder_.Write("a.textproto", text);
  EXPECT_EQ(Call({"lint", "--fix", "--vocab_size=8", path}).exit_code, 1);
  EXPECT_EQ(folder_.Read("a.textproto"), text);
  EXPECT_EQ(Call({"lint", "--fix", "--vocab_size=9", path}).exit_code, 0);
}

TEST_F(LintCommandTest, AnEmptyChainIsOk) {
  const CommandResult result = Call({"lint", folder_.Write("a.textproto", "")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(Lines(result.out), ElementsAre("a.textproto: ok (0 rules, dialect SPEC)"));
}

TEST_F(LintCommandTest, ReportsEveryErrorWithItsPlace) {
  const CommandResult result = Call({"lint", folder_.Write("a.textproto",
                                                           "dialect: SPEC\n"
                                                           "processors { top_k { k: -1 } }\n"
                                                           "processors {\n"
                                                           "  top_p {\n"
                                                           "    p: 1.5 }\n"
                                                           "}\n"
                                                           "processors {}\n")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(Lines(result.out),
              ElementsAre("a.textproto:2:22: processors[0].top_k.k is -1; it must be in [0, inf)",
                          "a.textproto:5:5: processors[1].top_p.p is 1.5; it must be in (0, 1]",
                          "a.textproto:7:1: processors[2] is empty; it must name a rule"));
  EXPECT_EQ(result.err, "logitchain lint: 3 errors in 1 of 1 file\n");
}

TEST_F(LintCommandTest, ReportsTextThatIsNoChain) {
  const CommandResult result =
      Call({"lint", folder_.Write("a.textproto", "processors { topk { k: 1 } }")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(Lines(result.out), ElementsAre(StartsWith("a.textproto:1:")));
  EXPECT_THAT(result.out, HasSubstr("(did you mean top_k?)"));
}

TEST_F(LintCommandTest, ReportsAllThatCannotBeRead) {
  const CommandResult result =
      Call({"lint", folder_.Write("a.textproto",
                                  "dialect: FOO\nprocessors { topk { k: 1 } }\n"
                                  "processors { top_p { q: 1 } }\n")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(Lines(result.out),
              ElementsAre(StartsWith("a.textproto:1:10: "), StartsWith("a.textproto:2:14: "),
                          StartsWith("a.textproto:3:22: ")));
  EXPECT_EQ(result.err, "logitchain lint: 3 errors in 1 of 1 file\n");
}

TEST_F(LintCommandTest, ChecksAllFiles) {
  const CommandResult result =
      Call({"lint", folder_.Write("a.textproto", "processors { top_k { k: -1 } }"),
            folder_.Write("b.textproto", kGood), folder_.Path("none.textproto"),
            folder_.Write("d.textproto", "nonsense")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(Lines(result.out),
              ElementsAre(StartsWith("a.textproto:1:22: "), StartsWith("b.textproto: ok"),
                          "none.textproto: cannot open: No such file or directory",
                          StartsWith("d.textproto:1:1: "), StartsWith("d.textproto:1:9: ")));
  EXPECT_EQ(result.err, "logitchain lint: 4 errors in 3 of 4 files\n");
}

TEST_F(LintCommandTest, ReportsTheOrder) {
  const std::string path = folder_.Write("a.textproto", kDisordered);
  const CommandResult result = Call({"lint", path});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(Lines(result.out),
              ElementsAre(StartsWith("a.textproto:3:14: processors[1].temperature must come before "
                                     "processors[0].top_k in dialect SPEC; the right order is "
                                     "temperature, top_k")));
  EXPECT_EQ(folder_.Read("a.textproto"), kDisordered);
}

TEST_F(LintCommandTest, NeedsAChain) {
  const CommandResult result = Call({"lint", "--fix"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "logitchain lint: CHAIN is missing, a file to check; see `logitchain lint --help`\n");
}

TEST_F(LintCommandTest, FixPutsRulesInOrder) {
  const std::string path = folder_.Write("a.textproto", kDisordered);
  const CommandResult result = Call({"lint", "--fix", path});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(Lines(result.out), ElementsAre("a.textproto: fixed: the rules stood as top_k, "
                                             "temperature; now temperature, top_k"));
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(folder_.Read("a.textproto"), kOrdered);
  EXPECT_THAT(folder_.Names(), ElementsAre("a.textproto"));
  EXPECT_EQ(Call({"lint", path}).exit_code, 0);
}

TEST_F(LintCommandTest, FixIsDoneOnce) {
  const std::string path = folder_.Write("a.textproto", kDisordered);
  Call({"lint", "--fix", path});
  struct stat first;
  ASSERT_EQ(stat(path.c_str(), &first), 0);
  const CommandResult again = Call({"lint", "--fix", path});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(Lines(again.out), ElementsAre("a.textproto: ok (2 rules, dialect SPEC)"));
  struct stat second;
  ASSERT_EQ(stat(path.c_str(), &second), 0);
  EXPECT_EQ(first.st_ino, second.st_ino) << "was written anew";
}

TEST_F(LintCommandTest, FixFollowsTheDialect) {
  const std::string path = folder_.Write("a.textproto",
                                         "dialect: LLAMA_CPP\n"
                                         "processors { temperature { temperature: 0.8 } }\n"
                                         "processors { top_k { k: 40 } }\n");
  EXPECT_EQ(Call({"lint", "--fix", path}).exit_code, 0);
  EXPECT_EQ(folder_.Read("a.textproto"),
            "dialect: LLAMA_CPP\n"
            "processors { top_k { k: 40 } }\n"
            "processors { temperature { temperature: 0.8 } }\n");
}

TEST_F(LintCommandTest, FixLeavesListedOrderAlone) {
  const std::string text = absl::StrCat("order: AS_LISTED\n", kDisordered);
  const CommandResult result = Call({"lint", "--fix", folder_.Write("a.textproto", text)});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(Lines(result.out), ElementsAre("a.textproto: ok (2 rules, dialect SPEC)"));
  EXPECT_EQ(folder_.Read("a.textproto"), text);
}

TEST_F(LintCommandTest, FixRefusesOtherErrors) {
  const std::string text = absl::StrCat(kDisordered, "processors { top_p { p: 2 } }\n");
  const CommandResult result = Call({"lint", "--fix", folder_.Write("a.textproto", text)});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(Lines(result.out), ElementsAre(HasSubstr("a.textproto:5:22: processors[2].top_p.p"),
                                             HasSubstr("must come before"),
                                             "a.textproto: not put in order: it has other errors"));
  EXPECT_EQ(folder_.Read("a.textproto"), text);
}

TEST_F(LintCommandTest, FixRefusesWhatItCannotMove) {
  const std::string text = "processors { top_k {} }\nprocessors: [{ temperature {} }]\n";
  const CommandResult result = Call({"lint", "--fix", folder_.Write("a.textproto", text)});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("a.textproto: the rules cannot be moved"));
  EXPECT_EQ(folder_.Read("a.textproto"), text);
}

TEST_F(LintCommandTest, FixReportsFilesThatItCannotRead) {
  const std::string big = folder_.Write("big.textproto", std::string(2 << 20, '#'));
  const CommandResult result = Call({"lint", "--fix", folder_.Path("none"), big, folder_.Path("")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("none: No such file or directory"));
  EXPECT_THAT(result.out, HasSubstr("at most 1048576 are allowed"));
  EXPECT_EQ(result.err, "logitchain lint: 3 errors in 3 of 3 files\n");
}

}  // namespace
}  // namespace logitchain
