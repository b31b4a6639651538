#include "logitchain/cli/text_layout.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/counted.h"
#include "logitchain/core/decode/utf8.h"

namespace logitchain {
namespace {

// 0 if the bytes do not begin with a character.
size_t FirstCharacterSize(absl::string_view bytes) {
  constexpr size_t kMaxSize = 4;
  for (size_t size = 1; size <= std::min(kMaxSize, bytes.size()); ++size) {
    if (IsUtf8(bytes.substr(0, size))) return size;
  }
  return 0;
}

std::string WithoutControls(absl::string_view line) {
  constexpr unsigned char kDelete = 0x7F;
  std::string text;
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte != kDelete) {
      text.push_back(c);
    } else {
      absl::StrAppend(&text, "\\x", absl::Hex(byte, absl::kZeroPad2));
    }
  }
  return text;
}

// The last offset up to this one at which a character of UTF-8 begins.
size_t CharacterAt(absl::string_view text, size_t offset) {
  while (offset > 0 && (text[offset] & 0xC0) == 0x80) --offset;
  return offset;
}

}  // namespace

std::vector<std::string> WrapWords(absl::string_view text, size_t width) {
  std::vector<std::string> lines;
  for (const absl::string_view word : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    if (lines.empty() || lines.back().size() + 1 + word.size() > width) {
      lines.emplace_back(word);
    } else {
      absl::StrAppend(&lines.back(), " ", word);
    }
  }
  return lines;
}

std::string Paragraph(absl::string_view text, absl::string_view indent) {
  std::string paragraph;
  for (const std::string& line : WrapWords(text, kTextWidth - indent.size())) {
    absl::StrAppend(&paragraph, indent, line, "\n");
  }
  return paragraph;
}

std::string DefinitionList(absl::Span<const std::pair<std::string, std::string>> entries) {
  constexpr absl::string_view kIndent = "  ";
  constexpr absl::string_view kGap = "  ";
  size_t term_width = 0;
  for (const auto& [term, text] : entries) term_width = std::max(term_width, term.size());
  const size_t text_column = kIndent.size() + term_width + kGap.size();
  std::string list;
  for (const auto& [term, text] : entries) {
    std::string left = term;
    for (const std::string& line : WrapWords(text, kTextWidth - text_column)) {
      left.resize(term_width, ' ');
      absl::StrAppend(&list, kIndent, left, kGap, line, "\n");
      left.clear();
    }
  }
  return list;
}

std::string QuotedBytes(absl::string_view bytes) {
  return absl::StrCat("\"", EscapedBadUtf8(absl::Utf8SafeCHexEscape(bytes)), "\"");
}

std::string EscapedBadUtf8(absl::string_view bytes) {
  std::string escaped;
  while (!bytes.empty()) {
    const size_t size = FirstCharacterSize(bytes);
    const absl::string_view next = bytes.substr(0, std::max<size_t>(size, 1));
    absl::StrAppend(&escaped, size == 0 ? absl::CHexEscape(next) : std::string(next));
    bytes.remove_prefix(next.size());
  }
  return escaped;
}

std::string MessageLine(absl::string_view line) {
  constexpr size_t kLongest = 4000;
  constexpr size_t kShownEnd = 500;
  if (line.size() <= kLongest) return WithoutControls(line);
  const size_t begin = CharacterAt(line, kLongest - kShownEnd);
  const size_t end = CharacterAt(line, line.size() - kShownEnd);
  return absl::StrCat(WithoutControls(line.substr(0, begin)), "[... ", Counted(end - begin, "byte"),
                      " ...]", WithoutControls(line.substr(end)));
}

std::vector<Column> ColumnsFor(absl::Span<const Cells> rows) {
  std::vector<Column> columns;
  for (const Cells& cells : rows) {
    columns.resize(std::max(columns.size(), cells.size()));
    for (size_t i = 0; i < cells.size(); ++i) {
      columns[i].width = std::max(columns[i].width, cells[i].size());
    }
  }
  return columns;
}

std::string AlignedRow(absl::Span<const std::string> cells, absl::Span<const Column> columns) {
  std::string row;
  for (size_t i = 0; i < cells.size(); ++i) {
    const size_t width = std::max(columns[i].width, cells[i].size());
    const std::string padding(width - cells[i].size(), ' ');
    absl::StrAppend(&row, i == 0 ? "" : "  ", columns[i].right_aligned ? padding : "", cells[i],
                    columns[i].right_aligned ? "" : padding);
  }
  absl::StripTrailingAsciiWhitespace(&row);
  return row;
}

}  // namespace logitchain
