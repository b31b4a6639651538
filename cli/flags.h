#ifndef LOGITCHAIN_CLI_FLAGS_H_
#define LOGITCHAIN_CLI_FLAGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace logitchain {

// A flag of a command. What its variable holds beforehand is its default.
struct Flag {
  std::string name;        // "max_tokens"
  std::string value_name;  // As in the help, "--max_tokens=N"; empty for a switch.
  std::string help;        // Without a full stop.
  // A vector collects the values of a flag that may be given more than once.
  std::variant<bool*, std::string*, std::optional<std::string>*, std::vector<std::string>*,
               int64_t*, std::optional<int64_t>*, std::optional<uint64_t>*>
      target;
  bool required = false;
  // The allowed values of an int64_t.
  int64_t min = 0;
  int64_t max = INT64_MAX;
};

// Sets the flags' variables from a command's arguments and returns the arguments that are no flags.
//
// A flag is written --name=value or --name value; a value that begins with -- needs the first form.
// A switch is --name, --name=true or --name=false. Behind "--" nothing is a flag. A flag that is
// unknown, bad, given twice or missing is a usage error that names it. A value_name that begins
// with FILE asks for the name of a file.
absl::StatusOr<std::vector<std::string>> ParseFlags(absl::Span<const std::string> arguments,
                                                    absl::Span<const Flag> flags);

// A usage error if what was given as `name`, "--chain", is not the name of a file.
absl::Status CheckFileName(absl::string_view name, absl::string_view value);

// The flags as the help lists them: a line or more for each, with its default.
std::string FlagsHelp(absl::Span<const Flag> flags);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_FLAGS_H_
