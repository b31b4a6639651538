#ifndef LOGITCHAIN_CLI_IMPORT_IMPORT_CHAIN_H_
#define LOGITCHAIN_CLI_IMPORT_IMPORT_CHAIN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {

struct ImportOptions {
  // Goes on without parameters that are not known or cannot be honoured.
  bool ignore_unknown = false;
  // For messages and for the comment at the top.
  std::string filename;
};

// A chain that does what another system's parameters say.
struct ImportResult {
  ChainConfig config;
  // The config as textproto; comments say which parameter each part comes from.
  std::string text;
  // What was ignored, as "file:line:column: …" messages.
  std::vector<std::string> ignored;
};

// Makes a chain of the parameters that `text` gives; absent ones have the system's defaults.
// InvalidArgument with everything that is wrong, a line each: each names the parameter, its value
// and what is supported. The rules must be linked in.
absl::StatusOr<ImportResult> ImportChain(absl::string_view text, const ImportTable& table,
                                         const ImportOptions& options);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_IMPORT_CHAIN_H_
