#ifndef LOGITCHAIN_TESTS_CLI_COMMAND_RESULT_H_
#define LOGITCHAIN_TESTS_CLI_COMMAND_RESULT_H_

#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"

namespace logitchain {

// What a call of the command gave.
struct CommandResult {
  int exit_code;
  std::string out;
  std::string err;

  friend std::ostream& operator<<(std::ostream& stream, const CommandResult& result) {
    return stream << "exit code " << result.exit_code << "\n--- out\n"
                  << result.out << "--- err\n"
                  << result.err << "---";
  }
};

// Calls `logitchain` with these arguments, within this process.
CommandResult Call(const std::vector<std::string>& arguments);

// A text of one JSON value a line. What is none fails the test.
std::vector<nlohmann::json> JsonLines(absl::string_view text);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_CLI_COMMAND_RESULT_H_
