#ifndef LOGITCHAIN_CLI_TEXT_LAYOUT_H_
#define LOGITCHAIN_CLI_TEXT_LAYOUT_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace logitchain {

// Text for a terminal. One byte is taken for one column.

// Widest line of running text.
inline constexpr size_t kTextWidth = 80;

// Breaks `text` at spaces into lines of at most `width` columns, where its words allow.
std::vector<std::string> WrapWords(absl::string_view text, size_t width);

// `text` in lines of kTextWidth, each behind `indent` and ended by a newline.
std::string Paragraph(absl::string_view text, absl::string_view indent);

// Terms to the left, their explanations to the right, wrapped:
//
//     --steps=N  number of steps to sample; without it every row of the file is
//                one
std::string DefinitionList(absl::Span<const std::pair<std::string, std::string>> entries);

// The bytes of a text in quotes; control characters escaped, and EscapedBadUtf8.
std::string QuotedBytes(absl::string_view bytes);

// The bytes with those that are no characters, or a part of one, as \x and two digits.
std::string EscapedBadUtf8(absl::string_view bytes);

// One line of a message, which may echo anything that was given: control characters as \x and two
// digits, and of a very long line the beginning and the end.
std::string MessageLine(absl::string_view line);

// The cells of a row of a table.
using Cells = std::vector<std::string>;

struct Column {
  size_t width = 0;
  bool right_aligned = false;
};

// Columns, left-aligned, that are as wide as their widest cell.
std::vector<Column> ColumnsFor(absl::Span<const Cells> rows);

// A row with two spaces between its cells, none behind the last, and no newline.
std::string AlignedRow(absl::Span<const std::string> cells, absl::Span<const Column> columns);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_TEXT_LAYOUT_H_
