#include "logitchain/grammar/syntax/text_cursor.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/decode/utf8.h"

namespace logitchain {
namespace {

bool BeginsCharacter(char byte) { return (static_cast<uint8_t>(byte) & 0xC0) != 0x80; }

bool IsCharacter(uint64_t value) { return value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF); }

// Where the first byte is that belongs to no character.
size_t FirstBadByte(absl::string_view text) {
  size_t begin = 0;
  for (size_t end = 1; end <= text.size(); ++end) {
    if (IsUtf8(text.substr(begin, end - begin))) begin = end;
  }
  return begin;
}

}  // namespace

absl::Status SyntaxError(absl::string_view text, size_t offset, absl::string_view message) {
  const absl::string_view before = text.substr(0, offset);
  const size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0.
  return absl::InvalidArgumentError(absl::StrCat(
      absl::c_count(before, '\n') + 1, ":",
      absl::c_count_if(before.substr(line_begin), BeginsCharacter) + 1, ": ", message));
}

TextCursor::TextCursor(absl::string_view text) : text_(text) {
  if (!IsUtf8(text)) FailAt(FirstBadByte(text), "is not UTF-8");
}

bool TextCursor::Consume(absl::string_view prefix) {
  if (!NextIs(prefix)) return false;
  offset_ += prefix.size();
  return true;
}

char32_t TextCursor::ReadCharacter() {
  const auto lead = static_cast<uint8_t>(text_[offset_++]);
  if (lead < 0x80) return lead;
  char32_t code_point = lead < 0xE0 ? lead & 0x1F : lead < 0xF0 ? lead & 0x0F : lead & 0x07;
  while (!AtEnd() && !BeginsCharacter(text_[offset_])) {
    code_point = (code_point << 6) | (static_cast<uint8_t>(text_[offset_++]) & 0x3F);
  }
  return code_point;
}

char32_t TextCursor::ReadHexCharacter(int count) {
  const absl::string_view digits = text_.substr(offset_, count);
  uint64_t value = 0;
  if (static_cast<int>(digits.size()) != count || !absl::c_all_of(digits, absl::ascii_isxdigit) ||
      !absl::SimpleHexAtoi(digits, &value)) {
    Fail(absl::StrCat("must be ", count, " hexadecimal digits"));
    return 0;
  }
  if (!IsCharacter(value)) {
    Fail(absl::StrCat("U+", absl::AsciiStrToUpper(digits), " is no character"));
    return 0;
  }
  offset_ += count;
  return static_cast<char32_t>(value);
}

std::optional<int32_t> TextCursor::ReadNumber(int32_t max) {
  const size_t begin = offset_;
  const absl::string_view digits = ReadWhile(absl::ascii_isdigit);
  if (digits.empty()) return std::nullopt;
  int32_t value = 0;
  if (!absl::SimpleAtoi(digits, &value) || value > max) {
    FailAt(begin, absl::StrCat("the number is ", digits, "; it must be at most ", max));
    return 0;
  }
  return value;
}

void TextCursor::SkipComment(absl::string_view end) {
  const size_t size = rest().find(end);
  if (size == absl::string_view::npos) return Fail("the comment has no end");
  MoveTo(offset_ + size + end.size());
}

void TextCursor::FailAt(size_t offset, absl::string_view message) {
  if (status_.ok()) status_ = SyntaxError(text_, offset, message);
  offset_ = text_.size();
}

}  // namespace logitchain
