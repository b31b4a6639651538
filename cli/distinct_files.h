#ifndef LOGITCHAIN_CLI_DISTINCT_FILES_H_
#define LOGITCHAIN_CLI_DISTINCT_FILES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace logitchain {

// A file with the name by which the user gave it: "--chain".
struct NamedFile {
  absl::string_view name;
  std::string path;
};

// A usage error if `output`, which is to be written, is one of the inputs by whatever path.
absl::Status CheckIsNoInput(const NamedFile& output, absl::Span<const NamedFile> inputs);

// A usage error if `output` is what the standard output goes to. /dev/null may be both.
absl::Status CheckIsNotStandardOutput(const NamedFile& output);

// Whether the path is what the standard error goes to.
bool IsStandardError(const std::string& path);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_DISTINCT_FILES_H_
