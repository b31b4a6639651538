#include "logitchain/cli/atomic_file.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace logitchain {
namespace {

// With the slash at its end; empty for the working folder.
std::string FolderOf(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// The file that `path` names, also when a link leads to one that does not exist yet.
absl::StatusOr<std::string> FollowLinks(const std::string& path) {
  constexpr int kMaxLinks = 40;  // The kernel's own limit.
  std::string target = path;
  for (int i = 0; i < kMaxLinks; ++i) {
    char link[PATH_MAX];
    const ssize_t size = readlink(target.c_str(), link, sizeof(link));
    if (size < 0) return target;  // Not a link; whatever else is wrong shows when it is opened.
    const absl::string_view next(link, size);
    target = absl::StrCat(absl::StartsWith(next, "/") ? "" : FolderOf(target), next);
  }
  return absl::ErrnoToStatus(ELOOP, path);
}

bool IsStandardStream(absl::string_view path) {
  return path == "/dev/stdout" || path == "/dev/stderr";
}

// Opening /dev/stdout anew would start over in a file that it is redirected to, and fails if it is
// a socket; a duplicate of the descriptor does neither.
FileDescriptor OpenStream(const std::string& path) {
  if (!IsStandardStream(path)) return FileDescriptor(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  const int stream = path == "/dev/stdout" ? STDOUT_FILENO : STDERR_FILENO;
  return FileDescriptor(fcntl(stream, F_DUPFD_CLOEXEC, 0));
}

// Calls `write_some(bytes)`, which writes like write(), until all are written. Returns 0 or errno.
template <typename WriteSome>
int WriteAll(absl::string_view bytes, WriteSome write_some) {
  while (!bytes.empty()) {
    const ssize_t count = write_some(bytes);
    if (count < 0 && errno != EINTR) return errno;
    bytes.remove_prefix(std::max<ssize_t>(count, 0));
  }
  return 0;
}

// Calls `take(name)` with names for temporary files until one is not in use: killed processes may
// have left some behind. False with errno if `take` fails for another reason.
bool TryNames(const std::string& folder, absl::FunctionRef<bool(const std::string&)> take) {
  static std::atomic<int> counter{0};
  do {
    if (take(absl::StrCat(folder, ".logitchain-", getpid(), "-", ++counter, ".tmp"))) return true;
  } while (errno == EEXIST);
  return false;
}

// A name for an open file that has none of its own.
std::string LinkOf(const FileDescriptor& file) {
  return absl::StrCat("/proc/self/fd/", file.get());
}

absl::Status WriteToStream(const std::string& path, absl::string_view contents) {
  FileDescriptor file = OpenStream(path);
  if (file.get() < 0) return absl::ErrnoToStatus(errno, path);
  const int error = WriteAll(contents, [&file](absl::string_view bytes) {
    return write(file.get(), bytes.data(), bytes.size());
  });
  if (error != 0) return absl::ErrnoToStatus(error, path);
  return file.Close() == 0 ? absl::OkStatus() : absl::ErrnoToStatus(errno, path);
}

}  // namespace

absl::StatusOr<std::unique_ptr<AtomicFile>> AtomicFile::Create(const std::string& path,
                                                               Temporary temporary) {
  if (path.empty()) return absl::InvalidArgumentError("the path of the file to write is empty");
  if (IsStream(path)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": is a pipe or a device; it must be a regular file or a new one"));
  }
  absl::StatusOr<std::string> target = FollowLinks(path);
  if (!target.ok()) return target.status();
  std::unique_ptr<AtomicFile> file(new AtomicFile(path, *std::move(target)));
  if (absl::Status status = file->CreateTemporary(temporary); !status.ok()) return status;
  return file;
}

AtomicFile::AtomicFile(std::string path, std::string target)
    : path_(std::move(path)), target_(std::move(target)) {}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

absl::Status AtomicFile::CreateTemporary(Temporary temporary) {
  struct stat old;
  const bool replaces = stat(target_.c_str(), &old) == 0;
  // A name that is too long, say, must not show only after an hour of writing.
  if (!replaces && errno != ENOENT) return Fail(errno);
  if ((replaces && S_ISDIR(old.st_mode)) || absl::EndsWith(target_, "/")) return Fail(EISDIR);

  const bool opened = (temporary == Temporary::kUnnamed && OpenUnnamed()) || OpenNamed();
  if (!opened) return Fail(errno);
  if (replaces && fchmod(file_.get(), old.st_mode & 0777) != 0) return Fail(errno);
  return absl::OkStatus();
}

bool AtomicFile::OpenUnnamed() {
  const std::string folder = FolderOf(target_);
  file_ = FileDescriptor(
      open(folder.empty() ? "." : folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666));
  // Without /proc the file could not get a name, which must not show only at the end.
  if (file_.get() >= 0 && access(LinkOf(file_).c_str(), F_OK) == 0) return true;
  file_.Close();
  return false;
}

bool AtomicFile::OpenNamed() {
  return TryNames(FolderOf(target_), [this](const std::string& name) {
    file_ = FileDescriptor(open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file_.get() < 0) return false;
    temporary_ = name;
    return true;
  });
}

// A link cannot replace a file, as a rename can.
bool AtomicFile::LinkTemporary() {
  return TryNames(FolderOf(target_), [this](const std::string& name) {
    if (linkat(AT_FDCWD, LinkOf(file_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      return false;
    }
    temporary_ = name;
    return true;
  });
}

absl::Status AtomicFile::Append(absl::string_view bytes) {
  if (absl::Status status = WriteAt(size_, bytes); !status.ok()) return status;
  size_ += bytes.size();
  return absl::OkStatus();
}

absl::Status AtomicFile::Overwrite(int64_t offset, absl::string_view bytes) {
  return WriteAt(offset, bytes);
}

absl::Status AtomicFile::WriteAt(int64_t offset, absl::string_view bytes) {
  if (absl::Status status = CheckOpen(); !status.ok()) return status;
  const int error = WriteAll(bytes, [this, &offset](absl::string_view rest) {
    const ssize_t count = pwrite(file_.get(), rest.data(), rest.size(), offset);
    offset += std::max<ssize_t>(count, 0);
    return count;
  });
  return error == 0 ? absl::OkStatus() : Fail(error);
}

absl::Status AtomicFile::Commit() {
  if (absl::Status status = CheckOpen(); !status.ok()) return status;
  // The bytes must be on the disk before the name is, or a crash could leave the name with nothing
  // behind it. The folder need not be: its name then still belongs to the old file, which is whole.
  if (fsync(file_.get()) != 0) return Fail(errno);
  if (temporary_.empty() && !LinkTemporary()) return Fail(errno);
  if (file_.Close() != 0) return Fail(errno);
  if (rename(temporary_.c_str(), target_.c_str()) != 0) return Fail(errno);
  temporary_.clear();
  return absl::OkStatus();
}

absl::Status AtomicFile::CheckOpen() const {
  if (file_.get() >= 0) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(path_, ": is committed already, or an earlier step of writing it failed"));
}

absl::Status AtomicFile::Fail(int error_number) {
  file_.Close();
  return absl::ErrnoToStatus(error_number, path_);
}

bool IsStream(const std::string& path) {
  if (IsStandardStream(path)) return true;
  struct stat info;
  return stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

absl::Status WriteFileAtomically(const std::string& path, absl::string_view contents) {
  if (IsStream(path)) return WriteToStream(path, contents);
  absl::StatusOr<std::unique_ptr<AtomicFile>> file = AtomicFile::Create(path);
  if (!file.ok()) return file.status();
  if (absl::Status status = (*file)->Append(contents); !status.ok()) return status;
  return (*file)->Commit();
}

}  // namespace logitchain
