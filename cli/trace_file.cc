#include "logitchain/cli/trace_file.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <ios>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "logitchain/cli/atomic_file.h"
#include "logitchain/cli/distinct_files.h"

namespace logitchain {
namespace {

constexpr size_t kBufferSize = 1 << 16;

}  // namespace

absl::StatusOr<std::unique_ptr<TraceFile>> TraceFile::Open(const std::string& path) {
  if (!IsStream(path) && !IsStandardError(path)) {
    absl::StatusOr<std::unique_ptr<AtomicFile>> file = AtomicFile::Create(path);
    if (!file.ok()) return file.status();
    return absl::WrapUnique(new TraceFile(path, *std::move(file)));
  }
  auto trace = absl::WrapUnique(new TraceFile(path));
  if (trace->stream_) return trace;
  return absl::NotFoundError(absl::StrCat(path, ": cannot open: ", std::strerror(errno)));
}

// Opening what the standard error goes to must not start it over.
TraceFile::TraceFile(const std::string& path)
    : path_(path),
      stream_(path, std::ios::binary | std::ios::app),
      lines_(std::make_unique<std::ostream>(stream_.rdbuf())) {}

TraceFile::TraceFile(const std::string& path, std::unique_ptr<AtomicFile> file)
    : path_(path),
      buffer_(std::make_unique<AtomicBuffer>(std::move(file))),
      lines_(std::make_unique<std::ostream>(buffer_.get())) {}

absl::Status TraceFile::Commit() {
  if (buffer_ != nullptr) return buffer_->Commit();
  if (lines_->flush()) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(path_, ": cannot write"));
}

absl::Status TraceFile::AtomicBuffer::Commit() {
  const absl::Status status = Write();
  return status.ok() ? file_->Commit() : status;
}

TraceFile::AtomicBuffer::int_type TraceFile::AtomicBuffer::overflow(int_type byte) {
  if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
  const char character = traits_type::to_char_type(byte);
  return xsputn(&character, 1) == 1 ? byte : traits_type::eof();
}

std::streamsize TraceFile::AtomicBuffer::xsputn(const char* bytes, std::streamsize count) {
  pending_.append(bytes, static_cast<size_t>(count));
  if (pending_.size() < kBufferSize) return count;
  return Write().ok() ? count : 0;
}

absl::Status TraceFile::AtomicBuffer::Write() {
  if (status_.ok()) status_ = file_->Append(pending_);
  pending_.clear();
  return status_;
}

}  // namespace logitchain
