#include "logitchain/core/files/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"

namespace logitchain {

absl::StatusOr<RegularFile> RegularFile::Open(const std::string& path) {
  // Without O_NONBLOCK, opening a pipe would wait for its writer before it could be refused.
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info;
  if (file.get() < 0 || fstat(file.get(), &info) != 0) return absl::ErrnoToStatus(errno, path);
  if (S_ISDIR(info.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": is a folder; it must be a file"));
  }
  if (!S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": is a pipe or a device; it must be a regular file"));
  }
  return RegularFile(path, std::move(file), info.st_size);
}

RegularFile::RegularFile(std::string path, FileDescriptor file, int64_t size)
    : path_(std::move(path)), file_(std::move(file)), size_(size) {}

absl::Status RegularFile::ReadAt(int64_t offset, absl::Span<char> bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = pread(file_.get(), bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return absl::ErrnoToStatus(errno, path_);
    if (count == 0) return absl::DataLossError(absl::StrCat(path_, ": ends at byte ", offset));
    bytes.remove_prefix(count);
    offset += count;
  }
  return absl::OkStatus();
}

}  // namespace logitchain
