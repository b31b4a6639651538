#include "logitchain/core/logits_matrix.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/core/kernels/widen.h"
#include "logitchain/core/limits.h"

namespace logitchain {
namespace {

// More than fit into any address space; a negative stride that became unsigned is beyond it.
constexpr size_t kMaxLogits = size_t{1} << 60;

size_t BytesOf(LogitType type) { return type == LogitType::kFloat32 ? 4 : 2; }

bool IsKnown(LogitType type) {
  switch (type) {
    case LogitType::kFloat32:
    case LogitType::kFloat16:
    case LogitType::kBfloat16:
      return true;
  }
  return false;
}

void Convert(LogitType type, const void* in, absl::Span<float> out) {
  switch (type) {
    case LogitType::kFloat32:
      std::memcpy(out.data(), in, out.size() * sizeof(float));
      return;
    case LogitType::kFloat16:
      return WidenFloat16(in, out);
    case LogitType::kBfloat16:
      return WidenBfloat16(in, out);
  }
}

}  // namespace

LogitsMatrix LogitsMatrix::Of(absl::Span<const float> logits, size_t columns) {
  return {.data = logits.data(),
          .rows = columns == 0 ? 0 : logits.size() / columns,
          .columns = columns,
          .stride = columns};
}

absl::Status LogitsMatrix::Check() const {
  if (!IsKnown(type)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the logits' type is ", static_cast<int>(type), ", which is none"));
  }
  if (data == nullptr && rows > 0 && columns > 0) {
    return absl::InvalidArgumentError("the logits' data is null");
  }
  if (columns > kMaxVocabSize) {
    return absl::InvalidArgumentError(absl::StrCat("the logits have ", columns,
                                                   " columns; a vocabulary has at most ",
                                                   kMaxVocabSize, " tokens"));
  }
  if (rows > 1 && (stride < columns || stride > kMaxLogits / rows)) {
    return absl::InvalidArgumentError(absl::StrCat("the logits' stride is ", stride, "; for ", rows,
                                                   " rows of ", columns, " columns it must be in [",
                                                   columns, ", ", kMaxLogits / rows, "]"));
  }
  return absl::OkStatus();
}

bool LogitsMatrix::IsInPlace() const {
  return type == LogitType::kFloat32 && reinterpret_cast<uintptr_t>(data) % alignof(float) == 0;
}

absl::Span<const float> LogitsMatrix::Row(size_t row, std::vector<float>& scratch) const {
  const char* begin = static_cast<const char*>(data) + row * stride * BytesOf(type);
  if (IsInPlace()) return {reinterpret_cast<const float*>(begin), columns};
  scratch.resize(columns);
  Convert(type, begin, absl::MakeSpan(scratch));
  return scratch;
}

}  // namespace logitchain
