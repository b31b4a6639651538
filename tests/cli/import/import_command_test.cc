#include "logitchain/cli/import/import_command.h"

#include <unistd.h>

#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/cli/command.h"
#include "logitchain/cli/flags.h"
#include "logitchain/cli/usage_error.h"
#include "logitchain/tests/testing/status_matchers.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class ImportCommandTest : public testing::Test {
 protected:
  // Runs the command; out_ and err_ have what it prints.
  absl::Status Import(const std::vector<std::string>& arguments) {
    const std::unique_ptr<Command> command = MakeImportCommand();
    const std::vector<Flag> flags = command->flags();
    const absl::StatusOr<std::vector<std::string>> positional = ParseFlags(arguments, flags);
    if (!positional.ok()) return positional.status();
    std::ostringstream out;
    std::ostringstream err;
    Console console = {.out = out, .err = err};
    const absl::Status status = command->Run(*positional, console);
    out_ = out.str();
    err_ = err.str();
    return status;
  }

  TempFolder folder_;
  std::string out_;
  std::string err_;
};

TEST_F(ImportCommandTest, PrintsTheChain) {
  const std::string path = folder_.Write("request.json", R"({"temperature": 0.5})");
  ASSERT_THAT(Import({"--from=openai", path}), IsOk());
  EXPECT_THAT(out_, AllOf(StartsWith("# proto-file: proto/chain.proto\n"),
                          HasSubstr("\n# /temperature: 0.5.\n"
                                    "processors { temperature { temperature: 0.5 } }\n")));
  EXPECT_EQ(err_, "");
}

TEST_F(ImportCommandTest, WritesAFile) {
  const std::string path = folder_.Write("flags.txt", "--greedy");
  ASSERT_THAT(Import({"--from=minfer", path, absl::StrCat("--out=", folder_.Path("c.textproto"))}),
              IsOk());
  EXPECT_EQ(out_, "");
  EXPECT_THAT(folder_.Read("c.textproto"), HasSubstr("dialect: MINFER\n"));
  EXPECT_THAT(folder_.Names(), ElementsAre("c.textproto", "flags.txt"));
}

TEST_F(ImportCommandTest, ErrorsLeaveTheFileAlone) {
  const std::string path = folder_.Write("flags.txt", "--frobnicate");
  const std::string out = folder_.Write("c.textproto", "old");
  EXPECT_THAT(Import({"--from=minfer", path, "--out", out}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("flags.txt:1:1: ")));
  EXPECT_EQ(folder_.Read("c.textproto"), "old");
}

TEST_F(ImportCommandTest, TheInputIsNotWrittenOver) {
  const std::string path = folder_.Write("flags.txt", "--greedy");
  const absl::Status status = Import({"--from=minfer", path, "--out", path});
  EXPECT_TRUE(IsUsageError(status)) << status;
  EXPECT_EQ(folder_.Read("flags.txt"), "--greedy");
}

TEST_F(ImportCommandTest, ListsWhatItIgnores) {
  const std::string path = folder_.Write("flags.txt", "--frobnicate");
  ASSERT_THAT(Import({"--from=minfer", path, "--ignore_unknown"}), IsOk());
  EXPECT_EQ(err_.substr(0, err_.find("/")), "logitchain import: ignored: ");
  EXPECT_THAT(err_, HasSubstr("flags.txt:1:1: --frobnicate is true; minfer has no such flag"));
  EXPECT_THAT(out_, HasSubstr("# Ignored: --frobnicate is true; minfer has no such flag"));
}

TEST_F(ImportCommandTest, ReadsTheStandardInput) {
  const std::string path = folder_.Write("flags.txt", "llama-cli --temp 0.25\n");
  const int saved = dup(STDIN_FILENO);
  ASSERT_NE(std::freopen(path.c_str(), "r", stdin), nullptr);
  const absl::Status status = Import({"--from=llama_cpp", "-"});
  dup2(saved, STDIN_FILENO);
  close(saved);
  ASSERT_THAT(status, IsOk());
  EXPECT_THAT(out_, AllOf(HasSubstr("temperature: 0.25"), HasSubstr("Imported from <stdin>")));
}

TEST_F(ImportCommandTest, UsageErrors) {
  const std::string path = folder_.Write("request.json", "{}");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {path}, {"--from=openai"}, {"--from=lama_cpp", path}, {"--from=openai", "--x", path}}) {
    const absl::Status status = Import(arguments);
    EXPECT_TRUE(IsUsageError(status)) << status;
  }
  EXPECT_THAT(Import({"--from=lama_cpp", path}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "--from is \"lama_cpp\" (did you mean llama_cpp?); it must be one of "
                       "openai, huggingface, llama_cpp, vllm, minfer"));
}

TEST_F(ImportCommandTest, FilesThatCannotBeRead) {
  EXPECT_THAT(Import({"--from=openai", folder_.Path("none")}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("none: No such file")));
  const absl::Status folder = Import({"--from=openai", folder_.Path("")});
  EXPECT_FALSE(folder.ok());
  EXPECT_FALSE(IsUsageError(folder));
  const std::string big = folder_.Write("big.json", std::string(2 << 20, ' '));
  EXPECT_THAT(Import({"--from=openai", big}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("more than 1048576 bytes")));
  EXPECT_THAT(out_, IsEmpty());
}

}  // namespace
}  // namespace logitchain
