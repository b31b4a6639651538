#include "logitchain/cli/command_line.h"

#include <unistd.h>

#include <cstdlib>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/cli/command_result.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::SizeIs;
using ::testing::StartsWith;

const std::vector<std::string>& Commands() {
  static const auto& commands =
      *new std::vector<std::string>{"generate", "sample", "lint", "list", "import", "dump-logits"};
  return commands;
}

TEST(CommandLineTest, HelpListsTheCommands) {
  for (const std::string flag : {"--help", "-h", "help"}) {
    const CommandResult result = Call({flag});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, AllOf(HasSubstr("Usage: "), HasSubstr("Example:\n  logitchain ")));
    for (const std::string& command : Commands()) {
      EXPECT_THAT(result.out, HasSubstr("\n  " + command + "  "));
    }
  }
}

TEST(CommandLineTest, EachCommandHasHelp) {
  for (const std::string& command : Commands()) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{command, "--help"},
                                                      {command, "-h"},
                                                      {command, "--nonsense", "--help"}}) {
      const CommandResult result = Call(arguments);
      EXPECT_EQ(result.exit_code, 0) << result;
      EXPECT_EQ(result.err, "");
      EXPECT_THAT(result.out, StartsWith("Usage: logitchain " + command + " "));
      EXPECT_THAT(result.out, AllOf(HasSubstr("\nFlags:\n  --"), HasSubstr("--help"),
                                    HasSubstr("\nExamples:\n  logitchain " + command)));
      const std::vector<std::string> lines = absl::StrSplit(result.out, '\n');
      EXPECT_THAT(lines, Each(SizeIs(Le(100u))));
    }
  }
}

TEST(CommandLineTest, HelpOfACommandCanBeAskedForFirst) {
  EXPECT_EQ(Call({"help", "generate"}).out, Call({"generate", "--help"}).out);
  const CommandResult unknown = Call({"help", "sampel"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("there is no command \"sampel\" (did you mean sample?)"));
}

TEST(CommandLineTest, HelpTakesNoValue) {
  const CommandResult result = Call({"list", "--help=1"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("list: --help takes no value;"));
}

TEST(CommandLineTest, HelpShowsDefaults) {
  EXPECT_THAT(Call({"generate", "--help"}).out, HasSubstr("(default: 128;"));
  EXPECT_THAT(Call({"list", "--help"}).out, HasSubstr("(default: SPEC)"));
}

TEST(CommandLineTest, BehindTwoDashesHelpIsAnArgument) {
  const CommandResult result = Call({"lint", "--", "--help"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "--help: cannot open: No such file or directory\n");
}

TEST(CommandLineTest, ErrorsEchoNoControlCharacters) {
  EXPECT_EQ(Call({"list", "--plugin=a\x1b[31mb.so"}).err,
            "logitchain list: a\\x1b[31mb.so: No such file or directory\n");
  EXPECT_EQ(Call({"lint", "a\rb"}).out, "a\\x0db: cannot open: No such file or directory\n");
}

TEST(CommandLineTest, ErrorsCutLongValues) {
  const std::string path(120'000, 'x');
  EXPECT_LT(Call({"list", "--plugin=" + path}).err.size(), 5000u);
}

TEST(CommandLineTest, PrintsTheVersion) {
  const CommandResult result = Call({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, std::string("logitchain ") + kVersion + "\n");
}

TEST(CommandLineTest, BadCallsAreUsageErrors) {
  const CommandResult none = Call({});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(none.err, "logitchain: a command is missing; see `logitchain --help`\n");
  EXPECT_EQ(none.out, "");
  const CommandResult unknown = Call({"sampel", "--chain=x"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.err,
            "logitchain: there is no command \"sampel\" (did you mean sample?); see `logitchain "
            "--help`\n");
  const CommandResult flag = Call({"--chain=x"});
  EXPECT_EQ(flag.exit_code, 2);
}

TEST(CommandLineTest, AnOutputThatTakesNothingIsAnError) {
  std::string program = "logitchain";
  std::string command = "list";
  char* argv[] = {program.data(), command.data(), nullptr};
  std::ostream closed(nullptr);
  std::ostringstream err;
  EXPECT_EQ(RunCommand(2, argv, closed, err), 1);
  EXPECT_EQ(err.str(), "logitchain list: cannot write to the standard output\n");
}

TEST(CommandLineTest, PathsAreThoseOfTheCallerOfBazelRun) {
  const TempFolder folder;
  folder.Write("a.textproto", "");
  ASSERT_EQ(setenv("BUILD_WORKING_DIRECTORY", folder.Path("").c_str(), /*overwrite=*/1), 0);
  const CommandResult result = Call({"lint", "a.textproto"});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(result.out, "a.textproto: ok (0 rules, dialect SPEC)\n");

  ASSERT_EQ(setenv("BUILD_WORKING_DIRECTORY", folder.Path("none").c_str(), 1), 0);
  const CommandResult gone = Call({"list"});
  EXPECT_EQ(gone.exit_code, 1);
  EXPECT_THAT(gone.err, StartsWith("logitchain: cannot enter BUILD_WORKING_DIRECTORY, "));

  ASSERT_EQ(unsetenv("BUILD_WORKING_DIRECTORY"), 0);
  ASSERT_EQ(chdir("/"), 0);  // The folder goes away.
}

}  // namespace
}  // namespace logitchain
