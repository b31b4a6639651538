#ifndef LOGITCHAIN_CLI_IMPORT_INPUT_TEXT_H_
#define LOGITCHAIN_CLI_IMPORT_INPUT_TEXT_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"

namespace logitchain {

// The bytes of a file, a pipe, or with "-" of the standard input: at most `limit` of them and one
// more, by which the caller can tell that there are too many. Errors start with the path.
absl::StatusOr<std::string> ReadInputText(const std::string& path, size_t limit);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_INPUT_TEXT_H_
