#ifndef LOGITCHAIN_CLI_NPY_H_
#define LOGITCHAIN_CLI_NPY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/cli/atomic_file.h"
#include "logitchain/cli/npy_header.h"
#include "logitchain/core/files/regular_file.h"

namespace logitchain {

// Reads logits from NumPy's .npy files: float16, float32 or float64 numbers of either byte order,
// shape [V] (one row) or [T, V] (one row a step), 1 <= V <= 2^24, C order. Rows are read one at a
// time, so a file may be larger than memory.
//
//   absl::StatusOr<NpyReader> reader = NpyReader::Open("logits.npy");
//   if (!reader.ok()) return reader.status();
//   std::vector<float> row(reader->cols());
//   for (int64_t i = 0; i < reader->rows(); ++i) {
//     if (absl::Status status = reader->ReadRow(absl::MakeSpan(row)); !status.ok()) return status;
//     ...
//   }
//
// Every error starts with the path. Not thread-safe.
class NpyReader {
 public:
  // Fails if there is no such file, it cannot be read, or it is not a regular file; and, as an
  // InvalidArgument, if its header is not as ParseNpyHeader wants it or its size is not exactly
  // what the header announces.
  static absl::StatusOr<NpyReader> Open(const std::string& path);

  int64_t rows() const { return layout_.rows; }  // >= 1
  int cols() const { return layout_.cols; }

  // Reads the next row into `row`, whose size must be cols(). A float64 is rounded to the
  // nearest float32, ties to even; if that makes a finite number infinite it is an InvalidArgument
  // that names row and column, counted from 0. Infinities and NaNs are passed on for the chain to
  // judge. OutOfRange behind the last row. After an error the next row is the same as before.
  absl::Status ReadRow(absl::Span<float> row);

  // Makes `row`, 0 to rows(), the one that ReadRow reads next.
  absl::Status Seek(int64_t row);

 private:
  NpyReader(RegularFile file, const NpyLayout& layout);

  // Decodes buffer_, the bytes of the next row.
  absl::Status Decode(absl::Span<float> row) const;
  absl::Status DecodeDoubles(absl::Span<float> row) const;

  RegularFile file_;
  NpyLayout layout_;
  int64_t next_row_ = 0;
  std::vector<char> buffer_;
};

// Writes logits to a .npy file of float32 numbers, shape [T, V], row by row. T need not be known
// before: it is put into the header at the end. The file appears at Finish, wholly or not at all
// (see AtomicFile, which also says what paths are allowed).
class NpyWriter {
 public:
  // InvalidArgument unless 1 <= cols <= 2^24.
  static absl::StatusOr<NpyWriter> Create(const std::string& path, int cols);

  // Appends a row, whose size must be `cols`. Any value may be in it.
  absl::Status WriteRow(absl::Span<const float> row);

  // Completes the file; nothing may be called afterwards. FailedPrecondition without any row:
  // such an array holds no logits, and NpyReader would refuse it.
  absl::Status Finish();

 private:
  NpyWriter(std::string path, std::unique_ptr<AtomicFile> file, int cols);

  std::string path_;
  std::unique_ptr<AtomicFile> file_;
  int cols_;
  int64_t rows_ = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_NPY_H_
