#ifndef LOGITCHAIN_CLI_PLUGIN_H_
#define LOGITCHAIN_CLI_PLUGIN_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/cli/flags.h"

namespace logitchain {

// --plugin=FILE.so, of commands that know rules.
Flag PluginFlag(std::vector<std::string>* paths);

// Loads rules that were built as shared libraries (see logit_processor in defs.bzl) for the rest of
// the process, and registers them with ProcessorRegistry::Global(). Their code may do all that this
// program may, but none of it runs if one of these errors is found in its file; each begins with
// the path:
// - NotFound, PermissionDenied and the like, if the file cannot be read;
// - InvalidArgument if it is not a shared library, or not a plugin;
// - FailedPrecondition if it was built for another version of the ABI, needs what this program does
//   not have, or, which shows only when it has been run, registers no rule;
// - AlreadyExists if this program has one of its protos, and with them the rule, already.
absl::Status LoadPlugins(absl::Span<const std::string> paths);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_PLUGIN_H_
