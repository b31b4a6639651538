#include "logitchain/cli/npy_header.h"

#include <bit>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "logitchain/cli/npy_dict.h"

namespace logitchain {
namespace {

constexpr absl::string_view kMagic("\x93NUMPY", 6);
constexpr bool kLittleEndian = std::endian::native == std::endian::little;

absl::Status SetItemType(absl::string_view descr, NpyLayout* layout) {
  absl::string_view type = descr;
  if (!type.empty() && absl::StrContains("<>=|", type.front())) type.remove_prefix(1);
  if (type != "f2" && type != "f4" && type != "f8") {
    return absl::InvalidArgumentError(absl::StrCat(
        "the type is ", QuoteNpyBytes(descr),
        "; it must be float16, float32 or float64, that is '<f2', '<f4', '<f8' or big-endian "
        "'>f2', '>f4', '>f8'"));
  }
  layout->item_bytes = type[1] - '0';
  layout->swap_bytes = descr.front() == (kLittleEndian ? '>' : '<');
  return absl::OkStatus();
}

absl::Status ShapeError(const std::vector<int64_t>& shape, absl::string_view what) {
  const std::string sizes = absl::StrJoin(shape, ", ").substr(0, 80);
  return absl::InvalidArgumentError(
      absl::StrCat("the shape is (", sizes, shape.size() == 1 ? ",); " : "); ", what));
}

// Expects the item type to be set.
absl::Status SetShape(const std::vector<int64_t>& shape, NpyLayout* layout) {
  if (shape.size() != 1 && shape.size() != 2) {
    return ShapeError(shape, "it must be (V,), or (T, V) with one row a step");
  }
  const int64_t rows = shape.size() == 1 ? 1 : shape.front();
  const int64_t cols = shape.back();
  if (rows == 0 || cols == 0) return ShapeError(shape, "no size may be 0");
  if (cols > kMaxVocabSize) {
    return ShapeError(shape, absl::StrCat("the last size, the vocabulary, may be at most 2^24 = ",
                                          kMaxVocabSize));
  }
  layout->cols = static_cast<int>(cols);
  if (rows > std::numeric_limits<int64_t>::max() / layout->row_bytes()) {
    return ShapeError(shape, "no file is large enough for it");
  }
  layout->rows = rows;
  return absl::OkStatus();
}

absl::Status SetArray(absl::string_view text, NpyLayout* layout) {
  const absl::StatusOr<NpyDict> dict = ParseNpyDict(text);
  if (!dict.ok()) return dict.status();
  if (absl::Status status = SetItemType(dict->descr, layout); !status.ok()) return status;
  if (absl::Status status = SetShape(dict->shape, layout); !status.ok()) return status;
  if (dict->fortran_order && layout->rows > 1 && layout->cols > 1) {
    return ShapeError(dict->shape,
                      "in Fortran order; save numpy.ascontiguousarray(array) for C order");
  }
  return absl::OkStatus();
}

absl::Status Truncated(absl::string_view bytes, int64_t wanted) {
  return absl::InvalidArgumentError(
      absl::StrFormat("ends after %d bytes; its header takes %d", bytes.size(), wanted));
}

}  // namespace

absl::StatusOr<NpyLayout> ParseNpyHeader(absl::string_view bytes) {
  if (!absl::StartsWith(bytes, kMagic)) {
    return absl::InvalidArgumentError(absl::StrCat("is not a .npy file; it begins with ",
                                                   QuoteNpyBytes(bytes.substr(0, kMagic.size())),
                                                   ", not ", QuoteNpyBytes(kMagic)));
  }
  // Behind the magic: version (major, minor), and the length of the dict, little-endian.
  if (bytes.size() < 10) return Truncated(bytes, 10);
  const int major = static_cast<unsigned char>(bytes[6]);
  const int minor = static_cast<unsigned char>(bytes[7]);
  if (major < 1 || major > 3 || minor != 0) {
    return absl::InvalidArgumentError(
        absl::StrFormat("has format version %d.%d; it must be 1.0, 2.0 or 3.0", major, minor));
  }
  const size_t dict_offset = major == 1 ? 10 : 12;
  if (bytes.size() < dict_offset) return Truncated(bytes, dict_offset);
  int64_t dict_bytes = 0;
  for (size_t i = dict_offset; i-- > 8;) {
    dict_bytes = dict_bytes << 8 | static_cast<unsigned char>(bytes[i]);
  }
  if (dict_bytes > kMaxNpyDictBytes) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "has a header dict of %d bytes; at most %d are allowed", dict_bytes, kMaxNpyDictBytes));
  }
  NpyLayout layout;
  layout.data_offset = dict_offset + dict_bytes;
  if (static_cast<int64_t>(bytes.size()) < layout.data_offset) {
    return Truncated(bytes, layout.data_offset);
  }
  const absl::Status status = SetArray(bytes.substr(dict_offset, dict_bytes), &layout);
  if (!status.ok()) return status;
  return layout;
}

std::string FormatNpyHeader(int64_t rows, int cols) {
  constexpr size_t kBytes = 128;  // The largest shape takes 95.
  constexpr size_t kDictOffset = 10;
  std::string header(kMagic);
  header.append("\x01\x00", 2);  // Version 1.0.
  header.push_back(static_cast<char>(kBytes - kDictOffset));
  header.push_back('\0');
  absl::StrAppend(&header, "{'descr': '", kLittleEndian ? "<f4" : ">f4",
                  "', 'fortran_order': False, 'shape': (", rows, ", ", cols, "), }");
  header.resize(kBytes - 1, ' ');
  header.push_back('\n');
  return header;
}

}  // namespace logitchain
