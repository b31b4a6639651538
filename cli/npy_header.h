#ifndef LOGITCHAIN_CLI_NPY_HEADER_H_
#define LOGITCHAIN_CLI_NPY_HEADER_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/limits.h"

namespace logitchain {

// The longest header dict that is read. NumPy's own is at most 118 bytes for the arrays that are
// allowed here; format versions 2.0 and 3.0 could announce 4 GiB.
inline constexpr int64_t kMaxNpyDictBytes = int64_t{1} << 16;

// No header that ParseNpyHeader accepts is longer, magic and dict included.
inline constexpr int64_t kMaxNpyHeaderBytes = 12 + kMaxNpyDictBytes;

// How an array of logits lies in a .npy file: `rows` rows of `cols` floating-point numbers each,
// one row behind the other from byte `data_offset` on.
struct NpyLayout {
  int64_t rows = 0;         // >= 1; 1 for an array of shape [V].
  int cols = 0;             // 1 to kMaxVocabSize.
  int item_bytes = 0;       // Per number: 2 (float16), 4 (float32) or 8 (float64).
  bool swap_bytes = false;  // Whether the numbers are in the other byte order than this machine's.
  int64_t data_offset = 0;

  // These fit in an int64_t.
  int64_t row_bytes() const { return int64_t{cols} * item_bytes; }
  int64_t data_bytes() const { return rows * row_bytes(); }
};

// Reads the header of a .npy file, format versions 1.0, 2.0 and 3.0, from the first bytes of the
// file: kMaxNpyHeaderBytes of them, or all if the file is shorter. Bytes behind the header are not
// looked at.
//
// The dict must be as ParseNpyDict wants it. 'descr' is f2, f4 or f8 behind an optional byte order
// of
// <, >, = or | (the last two mean this machine's). 'shape' is (V,) or (T, V) without zeros. Fortran
// order is refused where it differs from C order. Everything else is an InvalidArgument that says
// what it is and what is allowed.
absl::StatusOr<NpyLayout> ParseNpyHeader(absl::string_view bytes);

// The header, version 1.0, of a float32 array of shape (rows, cols) in this machine's byte
// order. Its length is a multiple of 64 and the same for all shapes, so that it can be written over
// once the number of rows is known.
std::string FormatNpyHeader(int64_t rows, int cols);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_NPY_HEADER_H_
