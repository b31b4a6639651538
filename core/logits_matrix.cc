#include "logitchain/core/logits_matrix.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/core/kernels/widen.h"

namespace logitchain {
namespace {

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
  if (rows > 1 && stride < columns) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the logits' stride is ", stride, "; it must be at least the ", columns, " columns"));
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
