#include "logitchain/cli/import/input_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logitchain/core/files/file_descriptor.h"

namespace logitchain {

absl::StatusOr<std::string> ReadInputText(const std::string& path, size_t limit) {
  const FileDescriptor file(path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                        : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return absl::ErrnoToStatus(errno, path);
  std::string text(limit + 1, '\0');
  size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = read(file.get(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return absl::ErrnoToStatus(errno, path);
    if (count == 0) break;
    size += count;
  }
  text.resize(size);
  return text;
}

}  // namespace logitchain
