#include "logitchain/core/read_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace logitchain {

absl::StatusOr<std::string> ReadFile(const std::string& path, int64_t max_size) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    return absl::NotFoundError(absl::StrCat(path, ": there is no such file"));
  }
  // What is no regular file may have no end, or may never begin.
  if (!std::filesystem::is_regular_file(status)) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": is no regular file"));
  }
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const int64_t size = file ? static_cast<int64_t>(file.tellg()) : -1;
  if (size > max_size) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": has ", size, " bytes; it may have at most ", max_size));
  }
  std::string content(size < 0 ? 0 : static_cast<size_t>(size), '\0');
  file.seekg(0);
  if (size < 0 || !file.read(content.data(), size)) {
    return absl::DataLossError(absl::StrCat(path, ": cannot be read"));
  }
  return content;
}

}  // namespace logitchain
