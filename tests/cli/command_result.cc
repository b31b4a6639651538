#include "logitchain/tests/cli/command_result.h"

#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "logitchain/cli/command_line.h"
#include "nlohmann/json.hpp"

namespace logitchain {

CommandResult Call(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"logitchain"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::ostringstream out;
  std::ostringstream err;
  const int exit_code = RunCommand(static_cast<int>(words.size()), argv.data(), out, err);
  return {exit_code, out.str(), err.str()};
}

std::vector<nlohmann::json> JsonLines(absl::string_view text) {
  std::vector<nlohmann::json> values;
  for (const absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    values.push_back(nlohmann::json::parse(line.begin(), line.end(), /*cb=*/nullptr,
                                           /*allow_exceptions=*/false));
    EXPECT_FALSE(values.back().is_discarded()) << "not JSON: " << line;
  }
  return values;
}

}  // namespace logitchain
