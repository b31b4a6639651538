#ifndef LOGITCHAIN_CLI_COMMAND_H_
#define LOGITCHAIN_CLI_COMMAND_H_

#include <climits>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/cli/flags.h"

namespace logitchain {

// Where a command prints: what was asked for to `out`, anything about it to `err`.
struct Console {
  std::ostream& out;
  std::ostream& err;
  // Whether a person is likely to be watching.
  bool out_is_terminal = false;
  bool err_is_terminal = false;

  // Sends what was printed on its way; an error if the output takes no more, so that a command
  // does not go on for nobody.
  absl::Status Flush() {
    if (out.flush()) return absl::OkStatus();
    return absl::DataLossError("cannot write to the standard output");
  }
};

// What --help says of a command, beside its flags.
struct CommandInfo {
  absl::string_view name;         // "dump-logits"
  absl::string_view summary;      // One line, without a full stop.
  absl::string_view usage;        // What is written behind the name: "CHAIN... [flags]"
  absl::string_view description;  // Paragraphs, separated by empty lines.
  std::vector<absl::string_view> examples;
  int max_arguments = 0;  // Arguments that are no flags.
};

// A subcommand of `logitchain`, made for one call.
class Command {
 public:
  virtual ~Command() = default;

  virtual CommandInfo info() const = 0;

  // The variables of the flags are the command's own.
  virtual std::vector<Flag> flags() = 0;

  // Does the work, with the flags' variables set. A usage error (usage_error.h) gives exit code 2,
  // every other error 1; both are printed by the caller.
  virtual absl::Status Run(absl::Span<const std::string> arguments, Console& console) = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_COMMAND_H_
