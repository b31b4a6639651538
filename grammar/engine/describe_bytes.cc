#include "logitchain/grammar/engine/describe_bytes.h"

#include <cstdint>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/regex/byte_set.h"

namespace logitchain {
namespace {

std::string Escaped(int byte) {
  const char character = static_cast<char>(byte);
  if (absl::string_view("]^-").find(character) != absl::string_view::npos) {
    return absl::StrCat("\\", absl::string_view(&character, 1));
  }
  if (character == '"') return "\"";
  return absl::CHexEscape(absl::string_view(&character, 1));
}

}  // namespace

std::string DescribeBytes(const ByteSet& bytes) {
  std::string text = "[";
  for (int first = 0; first < 256; ++first) {
    if (!bytes.Contains(static_cast<uint8_t>(first))) continue;
    int last = first;
    while (last < 255 && bytes.Contains(static_cast<uint8_t>(last + 1))) ++last;
    absl::StrAppend(&text, Escaped(first));
    if (last > first + 1) absl::StrAppend(&text, "-");
    if (last > first) absl::StrAppend(&text, Escaped(last));
    first = last;
  }
  return absl::StrCat(text, "]");
}

}  // namespace logitchain
