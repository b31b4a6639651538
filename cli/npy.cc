#include "logitchain/cli/npy.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/counted.h"

namespace logitchain {
namespace {

template <typename Value>
Value Load(const char* bytes) {
  Value value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

// The value of an IEEE 754 binary16 number, which float32 always holds exactly.
float HalfToFloat(uint16_t half) {
  const uint32_t sign = uint32_t{half & 0x8000u} << 16;
  const uint32_t exponent = half >> 10 & 0x1f;
  const uint32_t mantissa = half & 0x3ff;
  if (exponent == 0) {  // Zero or subnormal.
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign == 0 ? magnitude : -magnitude;
  }
  constexpr uint32_t kRebias = 127 - 15;
  const uint32_t wide_exponent = exponent == 0x1f ? 0xff : exponent + kRebias;
  return std::bit_cast<float>(sign | wide_exponent << 23 | mantissa << 13);
}

absl::Status WithPath(const std::string& path, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
}

absl::Status CheckRowSize(const std::string& path, size_t size, int cols) {
  if (size == static_cast<size_t>(cols)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrFormat("%s: a row has %d columns, not %d", path, cols, size));
}

}  // namespace

absl::StatusOr<NpyReader> NpyReader::Open(const std::string& path) {
  absl::StatusOr<RegularFile> file = RegularFile::Open(path);
  if (!file.ok()) return file.status();
  std::vector<char> start(std::min(file->size(), kMaxNpyHeaderBytes));
  if (absl::Status status = file->ReadAt(0, absl::MakeSpan(start)); !status.ok()) return status;
  const absl::StatusOr<NpyLayout> layout =
      ParseNpyHeader(absl::string_view(start.data(), start.size()));
  if (!layout.ok()) return WithPath(path, layout.status());
  const int64_t data_bytes = file->size() - layout->data_offset;
  if (data_bytes != layout->data_bytes()) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s: has %d bytes of data; %s of %d float%d numbers take %d", path, data_bytes,
        Counted(layout->rows, "row"), layout->cols, 8 * layout->item_bytes, layout->data_bytes()));
  }
  return NpyReader(*std::move(file), *layout);
}

NpyReader::NpyReader(RegularFile file, const NpyLayout& layout)
    : file_(std::move(file)), layout_(layout), buffer_(layout.row_bytes()) {}

absl::Status NpyReader::ReadRow(absl::Span<float> row) {
  if (absl::Status status = CheckRowSize(file_.path(), row.size(), cols()); !status.ok()) {
    return status;
  }
  if (next_row_ == rows()) {
    return absl::OutOfRangeError(
        absl::StrFormat("%s: has %s and all are read", file_.path(), Counted(rows(), "row")));
  }
  const int64_t offset = layout_.data_offset + next_row_ * layout_.row_bytes();
  if (absl::Status status = file_.ReadAt(offset, absl::MakeSpan(buffer_)); !status.ok()) {
    return status;
  }
  if (layout_.swap_bytes) {
    for (auto item = buffer_.begin(); item != buffer_.end(); item += layout_.item_bytes) {
      std::reverse(item, item + layout_.item_bytes);
    }
  }
  if (absl::Status status = Decode(row); !status.ok()) return status;
  ++next_row_;
  return absl::OkStatus();
}

absl::Status NpyReader::Seek(int64_t row) {
  if (row < 0 || row > rows()) {
    return absl::OutOfRangeError(
        absl::StrFormat("%s: has %s, no row %d", file_.path(), Counted(rows(), "row"), row));
  }
  next_row_ = row;
  return absl::OkStatus();
}

absl::Status NpyReader::Decode(absl::Span<float> row) const {
  if (layout_.item_bytes == 8) return DecodeDoubles(row);
  if (layout_.item_bytes == 4) {
    std::memcpy(row.data(), buffer_.data(), buffer_.size());
    return absl::OkStatus();
  }
  for (size_t i = 0; i < row.size(); ++i) row[i] = HalfToFloat(Load<uint16_t>(&buffer_[2 * i]));
  return absl::OkStatus();
}

absl::Status NpyReader::DecodeDoubles(absl::Span<float> row) const {
  for (size_t i = 0; i < row.size(); ++i) {
    const double value = Load<double>(&buffer_[8 * i]);
    row[i] = static_cast<float>(value);
    if (std::isinf(row[i]) && !std::isinf(value)) {
      return absl::InvalidArgumentError(
          absl::StrFormat("%s: row %d, column %d is %g; logits are float32, whose finite values "
                          "end at 3.4028235e38",
                          file_.path(), next_row_, i, value));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<NpyWriter> NpyWriter::Create(const std::string& path, int cols) {
  if (cols < 1 || cols > kMaxVocabSize) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: %d columns; there must be 1 to %d", path, cols, kMaxVocabSize));
  }
  absl::StatusOr<std::unique_ptr<AtomicFile>> file = AtomicFile::Create(path);
  if (!file.ok()) return file.status();
  // Holds the header's place.
  absl::Status status = (*file)->Append(FormatNpyHeader(/*rows=*/0, cols));
  if (!status.ok()) return status;
  return NpyWriter(path, *std::move(file), cols);
}

NpyWriter::NpyWriter(std::string path, std::unique_ptr<AtomicFile> file, int cols)
    : path_(std::move(path)), file_(std::move(file)), cols_(cols) {}

absl::Status NpyWriter::WriteRow(absl::Span<const float> row) {
  if (absl::Status status = CheckRowSize(path_, row.size(), cols_); !status.ok()) return status;
  ++rows_;
  return file_->Append(
      absl::string_view(reinterpret_cast<const char*>(row.data()), row.size() * sizeof(float)));
}

absl::Status NpyWriter::Finish() {
  if (rows_ == 0) return absl::FailedPreconditionError(absl::StrCat(path_, ": no row to write"));
  absl::Status status = file_->Overwrite(0, FormatNpyHeader(rows_, cols_));
  if (!status.ok()) return status;
  return file_->Commit();
}

}  // namespace logitchain
