#include "logitchain/core/files/read_text_file.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/files/regular_file.h"

namespace logitchain {

absl::StatusOr<std::string> ReadTextFile(const std::string& path, int64_t max_size) {
  if (path.empty()) return absl::InvalidArgumentError("the name of the file is empty");
  const absl::StatusOr<RegularFile> file = RegularFile::Open(path);
  if (absl::IsNotFound(file.status())) {
    return absl::NotFoundError(absl::StrCat(path, ": there is no such file"));
  }
  if (!file.ok()) return file.status();
  if (file->size() > max_size) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": has ", file->size(), " bytes; it may have at most ", max_size));
  }
  std::string content(file->size(), '\0');
  absl::Status status = file->ReadAt(0, absl::MakeSpan(content.data(), content.size()));
  if (!status.ok()) return status;
  constexpr absl::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (absl::StartsWith(content, kByteOrderMark)) content.erase(0, kByteOrderMark.size());
  return content;
}

}  // namespace logitchain
