#include "logitchain/cli/distinct_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/cli/usage_error.h"

namespace logitchain {
namespace {

bool IsSame(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Whether the path is what this descriptor is open for.
bool IsOpenAs(const std::string& path, int descriptor) {
  struct stat file;
  struct stat open;
  return stat(path.c_str(), &file) == 0 && fstat(descriptor, &open) == 0 && IsSame(file, open);
}

bool IsNull(const std::string& path) {
  struct stat file;
  struct stat null;
  return stat(path.c_str(), &file) == 0 && stat("/dev/null", &null) == 0 && IsSame(file, null);
}

}  // namespace

absl::Status CheckIsNoInput(const NamedFile& output, absl::Span<const NamedFile> inputs) {
  struct stat written;
  if (stat(output.path.c_str(), &written) != 0) return absl::OkStatus();
  for (const NamedFile& input : inputs) {
    struct stat read;
    if (stat(input.path.c_str(), &read) != 0 || !IsSame(written, read)) continue;
    return UsageError(absl::StrCat(output.name, " is \"", output.path, "\", the same file as ",
                                   input.name, "; it must be another one"));
  }
  return absl::OkStatus();
}

absl::Status CheckIsNotStandardOutput(const NamedFile& output) {
  if (!IsOpenAs(output.path, STDOUT_FILENO) || IsNull(output.path)) return absl::OkStatus();
  return UsageError(absl::StrCat(output.name, " is \"", output.path,
                                 "\", where the standard output goes; it must be another file"));
}

bool IsStandardError(const std::string& path) { return IsOpenAs(path, STDERR_FILENO); }

}  // namespace logitchain
