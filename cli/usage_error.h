#ifndef LOGITCHAIN_CLI_USAGE_ERROR_H_
#define LOGITCHAIN_CLI_USAGE_ERROR_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace logitchain {

// An InvalidArgument that is about how the command was called; it ends the command with another
// exit code than what goes wrong later, and with a hint at --help.
absl::Status UsageError(absl::string_view message);

bool IsUsageError(const absl::Status& status);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_USAGE_ERROR_H_
