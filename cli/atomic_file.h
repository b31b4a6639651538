#ifndef LOGITCHAIN_CLI_ATOMIC_FILE_H_
#define LOGITCHAIN_CLI_ATOMIC_FILE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/files/file_descriptor.h"

namespace logitchain {

// A file that appears under its name wholly or not at all:
//
//   absl::StatusOr<std::unique_ptr<AtomicFile>> file = AtomicFile::Create("out.npy");
//   if (!file.ok()) return file.status();
//   if (absl::Status status = (*file)->Append(bytes); !status.ok()) return status;
//   return (*file)->Commit();
//
// Until Commit the bytes are in a file without a name, which goes away with the process however
// that ends. Where the file system has no such files (NFS) its name is
// `.logitchain-<process>-<number>.tmp` in the same folder; an AtomicFile that goes away uncommitted
// removes it, but a process that is killed leaves it behind.
//
// A path that is a symbolic link stays one, and the file that it names is written. A file that is
// replaced keeps its permissions; a new one has those that the umask leaves of rw-rw-rw-. A folder,
// a pipe or a device cannot be replaced and is refused. Every error starts with the path.
// Writes are not buffered. Not thread-safe.
class AtomicFile {
 public:
  enum class Temporary {
    kUnnamed,  // Where the file system can.
    kNamed,
  };

  static absl::StatusOr<std::unique_ptr<AtomicFile>> Create(
      const std::string& path, Temporary temporary = Temporary::kUnnamed);

  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  // Writes behind what was appended before.
  absl::Status Append(absl::string_view bytes);

  // Writes over bytes that were appended before, from `offset` (>= 0) on.
  absl::Status Overwrite(int64_t offset, absl::string_view bytes);

  // Brings the bytes to the disk and gives them the file's name. Ends the writing: any further call
  // is a FailedPrecondition, as is any call after a failed one, and then the file under the name is
  // what it was before.
  absl::Status Commit();

 private:
  AtomicFile(std::string path, std::string target);

  absl::Status CreateTemporary(Temporary temporary);
  // Sets file_, and temporary_ for a file that has a name. False with errno.
  bool OpenUnnamed();
  bool OpenNamed();
  // Gives a file without a name one beside the target. False with errno.
  bool LinkTemporary();
  absl::Status WriteAt(int64_t offset, absl::string_view bytes);

  absl::Status CheckOpen() const;

  // Closes the file, so that nothing can commit it any more.
  absl::Status Fail(int error_number);

  const std::string path_;    // As given, for messages.
  const std::string target_;  // The file to be written, links followed.
  std::string temporary_;     // The name that it has until then, if any.
  FileDescriptor file_;       // Open as long as there is something to commit.
  int64_t size_ = 0;
};

// Whether bytes are gone as soon as they are written to `path`, so that there is nothing to
// replace: a pipe, a device, or "/dev/stdout" and "/dev/stderr", whatever they are connected to.
bool IsStream(const std::string& path);

// Writes a file as AtomicFile does, except that a pipe, a terminal or another device receives the
// bytes directly, and so do "/dev/stdout" and "/dev/stderr", whatever they are connected to.
absl::Status WriteFileAtomically(const std::string& path, absl::string_view contents);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_ATOMIC_FILE_H_
