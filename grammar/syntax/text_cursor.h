#ifndef LOGITCHAIN_GRAMMAR_SYNTAX_TEXT_CURSOR_H_
#define LOGITCHAIN_GRAMMAR_SYNTAX_TEXT_CURSOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace logitchain {

// "line:column: message", both counted from 1, columns in characters.
absl::Status SyntaxError(absl::string_view text, size_t offset, absl::string_view message);

// Reads a text of UTF-8 for a recursive-descent parser. The first error stays and moves the cursor
// to the end, so a parser may go on and look at `status` once.
class TextCursor {
 public:
  // Fails at once if `text` is not UTF-8.
  explicit TextCursor(absl::string_view text);

  bool AtEnd() const { return offset_ == text_.size(); }
  size_t offset() const { return offset_; }
  void MoveTo(size_t offset) { offset_ = offset; }
  absl::string_view rest() const { return text_.substr(offset_); }
  // What was read since the cursor was at `begin`.
  absl::string_view TextFrom(size_t begin) const { return text_.substr(begin, offset_ - begin); }

  // The next byte, or 0 at the end.
  char Peek() const { return AtEnd() ? '\0' : text_[offset_]; }
  bool NextIs(absl::string_view prefix) const {
    return text_.substr(offset_, prefix.size()) == prefix;
  }
  // Goes past `prefix` if it comes next.
  bool Consume(absl::string_view prefix);
  // Goes past a character and returns it. Not at the end.
  char32_t ReadCharacter();
  // Goes past `count` hexadecimal digits and returns their value; 0 and an error if they are not
  // there, or if that is no character.
  char32_t ReadHexCharacter(int count);
  // Goes past decimal digits. Nullopt, and no move, if there are none; a number above `max` is an
  // error.
  std::optional<int32_t> ReadNumber(int32_t max);
  // Goes past the bytes that are `accepted`.
  template <typename Predicate>
  absl::string_view ReadWhile(Predicate accepted) {
    const size_t begin = offset_;
    while (!AtEnd() && accepted(text_[offset_])) ++offset_;
    return text_.substr(begin, offset_ - begin);
  }

  // Goes past a comment that comes next, and past its end.
  void SkipComment(absl::string_view end);

  void Fail(absl::string_view message) { FailAt(offset_, message); }
  void FailAt(size_t offset, absl::string_view message);
  bool ok() const { return status_.ok(); }
  const absl::Status& status() const { return status_; }

 private:
  absl::string_view text_;
  size_t offset_ = 0;
  absl::Status status_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_SYNTAX_TEXT_CURSOR_H_
