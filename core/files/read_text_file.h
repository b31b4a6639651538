#ifndef LOGITCHAIN_CORE_FILES_READ_TEXT_FILE_H_
#define LOGITCHAIN_CORE_FILES_READ_TEXT_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace logitchain {

// The content of a regular file of at most `max_size` bytes, without a byte order mark. Every error
// starts with the path, unless that is empty.
absl::StatusOr<std::string> ReadTextFile(const std::string& path, int64_t max_size);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_FILES_READ_TEXT_FILE_H_
