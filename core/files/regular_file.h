#ifndef LOGITCHAIN_CORE_FILES_REGULAR_FILE_H_
#define LOGITCHAIN_CORE_FILES_REGULAR_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/core/files/file_descriptor.h"

namespace logitchain {

// A regular file that is open for reading at any offset. Folders, pipes and devices are refused:
// they have no size to check a format's promises against. Every error starts with the path.
class RegularFile {
 public:
  static absl::StatusOr<RegularFile> Open(const std::string& path);

  const std::string& path() const { return path_; }

  // In bytes, as it was when the file was opened.
  int64_t size() const { return size_; }

  // Fills `bytes` with the file's bytes from `offset` (>= 0) on. DataLoss if the file ends before,
  // which for a range within size() means that it has been cut since.
  absl::Status ReadAt(int64_t offset, absl::Span<char> bytes) const;

 private:
  RegularFile(std::string path, FileDescriptor file, int64_t size);

  std::string path_;
  FileDescriptor file_;
  int64_t size_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_FILES_REGULAR_FILE_H_
