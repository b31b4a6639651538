#ifndef LOGITCHAIN_CORE_FILES_FILE_DESCRIPTOR_H_
#define LOGITCHAIN_CORE_FILES_FILE_DESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace logitchain {

// Owns an open file descriptor, or none (get() < 0), and closes it.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() { Close(); }

  int get() const { return fd_; }

  // Returns what close() returns, or 0 without a descriptor.
  int Close() {
    const int fd = std::exchange(fd_, -1);
    return fd < 0 ? 0 : close(fd);
  }

 private:
  int fd_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_FILES_FILE_DESCRIPTOR_H_
