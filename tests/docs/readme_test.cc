// The code in the README's section "Write a rule" is that of examples/downstream, which a test
// builds and runs.

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/golden_file.h"

namespace logitchain {
namespace {

using testing::UnorderedElementsAreArray;

// What is in the fences of these languages, in the section with this title.
std::vector<std::string> CodeBlocks(const std::string& page, absl::string_view title) {
  std::vector<std::string> blocks;
  bool in_section = false;
  bool in_block = false;
  bool is_code = false;
  for (const absl::string_view line : absl::StrSplit(page, '\n')) {
    if (!in_block && absl::StartsWith(line, "## ")) in_section = line.substr(3) == title;
    if (!in_section) continue;
    if (!absl::StartsWith(line, "```")) {
      if (in_block && is_code) absl::StrAppend(&blocks.back(), line, "\n");
      continue;
    }
    in_block = !in_block;
    if (!in_block) continue;
    // A fence without a language has a terminal's text.
    is_code = line != "```";
    if (is_code) blocks.emplace_back();
  }
  return blocks;
}

TEST(ReadmeTest, WriteARuleIsTheDownstreamWorkspace) {
  std::vector<std::string> files;
  for (const char* file :
       {"BUILD.bazel", "WORKSPACE", "chain.textproto", "rules/BUILD.bazel", "rules/ban_digits.cc",
        "rules/ban_digits.proto", "rules/ban_digits_samples.textproto"}) {
    files.push_back(ReadTestFile(absl::StrCat("examples/downstream/", file)));
  }
  EXPECT_THAT(CodeBlocks(ReadTestFile("README.md"), "Write a rule"),
              UnorderedElementsAreArray(files));
}

TEST(CodeBlocksTest, AreThoseOfTheSectionThatHaveALanguage) {
  const std::string page =
      absl::StrJoin({"## A",           "```cpp", "no",  "```",  "## B",   "text",  "```cpp",
                     "## not a title", "",       "x;",  "```",  "```",    "$ out", "```",
                     "```proto",       "y;",     "```", "## C", "```cpp", "no",    "```"},
                    "\n");
  EXPECT_THAT(CodeBlocks(page, "B"), testing::ElementsAre("## not a title\n\nx;\n", "y;\n"));
}

}  // namespace
}  // namespace logitchain
