#ifndef LOGITCHAIN_CLI_IMPORT_SHELL_WORDS_H_
#define LOGITCHAIN_CLI_IMPORT_SHELL_WORDS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/registry/chain_text.h"

namespace logitchain {

// A word of a command line.
struct ShellWord {
  std::string text;
  TextLocation location;
};

// Splits a command line into words as a shell does: by blanks and line ends, with '…', "…", \ and
// comments from # on. Nothing is expanded or run. InvalidArgument "filename:line:column: …" if a
// quote does not end.
absl::StatusOr<std::vector<ShellWord>> SplitShellWords(absl::string_view text,
                                                       absl::string_view filename);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_SHELL_WORDS_H_
