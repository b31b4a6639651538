#ifndef LOGITCHAIN_CLI_TRACE_FILE_H_
#define LOGITCHAIN_CLI_TRACE_FILE_H_

#include <fstream>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logitchain/cli/atomic_file.h"

namespace logitchain {

// The file that --trace names, as a stream of lines. A regular file appears under its name wholly,
// at Commit, or not at all; a pipe, a device and what the standard error goes to have the lines as
// they come. Every error starts with the path.
class TraceFile {
 public:
  static absl::StatusOr<std::unique_ptr<TraceFile>> Open(const std::string& path);

  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  // Valid as long as this.
  std::ostream& lines() { return *lines_; }

  // Ends the writing. The error is that of the first line that could not be written, if any.
  absl::Status Commit();

 private:
  // Gathers bytes for an AtomicFile, and keeps its first error.
  class AtomicBuffer final : public std::streambuf {
   public:
    explicit AtomicBuffer(std::unique_ptr<AtomicFile> file) : file_(std::move(file)) {}

    absl::Status Commit();

   protected:
    int_type overflow(int_type byte) override;
    std::streamsize xsputn(const char* bytes, std::streamsize count) override;

   private:
    absl::Status Write();

    std::unique_ptr<AtomicFile> file_;
    std::string pending_;
    absl::Status status_;
  };

  explicit TraceFile(const std::string& path);
  TraceFile(const std::string& path, std::unique_ptr<AtomicFile> file);

  const std::string path_;
  std::ofstream stream_;                  // Where lines go as they come,
  std::unique_ptr<AtomicBuffer> buffer_;  // or are gathered.
  std::unique_ptr<std::ostream> lines_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_TRACE_FILE_H_
