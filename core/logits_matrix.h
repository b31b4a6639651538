#ifndef LOGITCHAIN_CORE_LOGITS_MATRIX_H_
#define LOGITCHAIN_CORE_LOGITS_MATRIX_H_

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace logitchain {

// The types that engines keep logits in. All are converted to float32, which is exact.
enum class LogitType {
  kFloat32,
  kFloat16,   // IEEE binary16.
  kBfloat16,  // The upper half of a float32.
};

// Rows of logits that stand somewhere in the caller's memory, in the machine's byte order, and are
// only read:
//
//   LogitsMatrix logits = {.data = tensor.data(),
//                          .type = LogitType::kBfloat16,
//                          .rows = batch,
//                          .columns = vocab_size,
//                          .stride = padded_vocab_size};
//
// No alignment is asked for. float32 that is aligned as a float must be is read in place,
// everything else row by row through a scratch buffer of one row.
struct LogitsMatrix {
  const void* data = nullptr;
  LogitType type = LogitType::kFloat32;
  size_t rows = 0;
  size_t columns = 0;
  // How many logits after a row's first one the next row begins: at least `columns`, unless there
  // is one row only.
  size_t stride = 0;

  // float32 rows of `columns` logits each, one right after the other. What is left over at the end
  // and makes no whole row is not part of the matrix.
  static LogitsMatrix Of(absl::Span<const float> logits, size_t columns);

  // InvalidArgument if the fields do not describe a matrix.
  absl::Status Check() const;

  // Whether rows are read in place.
  bool IsInPlace() const;

  // A row as float32: where it stands, or in `scratch`, which grows to `columns` once. The matrix
  // has passed Check, and row < rows.
  absl::Span<const float> Row(size_t row, std::vector<float>& scratch) const;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_LOGITS_MATRIX_H_
