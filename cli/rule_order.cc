#include "logitchain/cli/rule_order.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "google/protobuf/util/message_differencer.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/registry/text_places.h"

namespace logitchain {
namespace {

constexpr absl::string_view kBlanks = " \t";

// Bytes [begin, end) of a text.
struct Block {
  size_t begin = 0;
  size_t end = 0;
};

// A text by lines, which end with a line feed or the text.
class Lines {
 public:
  explicit Lines(absl::string_view text) : text_(text), begins_({0}) {
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') begins_.push_back(i + 1);
    }
  }

  int count() const { return static_cast<int>(begins_.size()); }
  size_t Begin(int line) const { return begins_[line]; }

  // Without the line's end, a carriage return included.
  size_t End(int line) const {
    size_t end = line + 1 < count() ? begins_[line + 1] - 1 : text_.size();
    if (end > begins_[line] && text_[end - 1] == '\r') --end;
    return end;
  }

  // The line, from 0, that the byte is in.
  int LineOf(size_t offset) const {
    return static_cast<int>(absl::c_upper_bound(begins_, offset) - begins_.begin()) - 1;
  }

  size_t Offset(TextLocation location) const {
    const size_t begin = begins_[location.line - 1];
    return begin + OffsetInLine(text_.substr(begin), location.column);
  }

  // The place of the # that begins the first thing in the line; npos if that is something else.
  size_t CommentLine(int line) const {
    const size_t first = text_.find_first_not_of(kBlanks, begins_[line]);
    return first < text_.size() && text_[first] == '#' ? first : text_.npos;
  }

 private:
  absl::string_view text_;
  std::vector<size_t> begins_;
};

// The comments that tell editors what the file is.
bool IsFileComment(absl::string_view comment) {
  absl::ConsumePrefix(&comment, "#");
  return absl::StartsWith(absl::StripLeadingAsciiWhitespace(comment), "proto-");
}

// Extends entries to whole lines with their comments.
class CommentFinder {
 public:
  CommentFinder(absl::string_view text, const Lines& lines) : text_(text), lines_(lines) {}

  // False if the entry shares a line with something other than its own comments. `floor` is where
  // the entry before it ended, comments included.
  bool Extend(size_t floor, Block& block) const {
    const int first_line = lines_.LineOf(block.begin);
    const size_t line_begin = lines_.Begin(first_line);
    if (line_begin < floor || text_.find_first_not_of(kBlanks, line_begin) != block.begin) {
      return false;
    }
    if (!ExtendBehind(block)) return false;
    block.begin = CommentsAbove(first_line, floor);
    return true;
  }

 private:
  bool ExtendBehind(Block& block) const {
    const int last_line = lines_.LineOf(block.end);
    const size_t line_end = lines_.End(last_line);
    const size_t comment = std::min(text_.find_first_not_of(kBlanks, block.end), line_end);
    if (comment == line_end) return true;
    if (text_[comment] != '#') return false;
    block.end = ContinuationEnd(last_line, comment - lines_.Begin(last_line));
    return true;
  }

  // Where a comment in this column ends that may go on in the lines below.
  size_t ContinuationEnd(int line, size_t column) const {
    while (line + 1 < lines_.count() &&
           lines_.CommentLine(line + 1) == lines_.Begin(line + 1) + column) {
      ++line;
    }
    return lines_.End(line);
  }

  size_t CommentsAbove(int line, size_t floor) const {
    while (line > 0 && lines_.Begin(line - 1) >= floor) {
      const size_t comment = lines_.CommentLine(line - 1);
      if (comment == text_.npos || IsFileComment(text_.substr(comment))) break;
      --line;
    }
    return lines_.Begin(line);
  }

  absl::string_view text_;
  const Lines& lines_;
};

absl::Status CannotMove(const ChainText& chain) {
  return absl::FailedPreconditionError(absl::StrCat(
      chain.filename, ": the rules cannot be moved; write each as its own `processors { … }`"));
}

absl::Status CannotMoveComments(const ChainText& chain, int shared) {
  return absl::FailedPreconditionError(chain.Describe(
      {.path = absl::StrCat("processors[", shared, "]"),
       .message = "shares a line with another rule or with something else, so that no comment of "
                  "the file can be told to be of one rule; the rules cannot be moved before each "
                  "`processors { … }` has lines of its own"}));
}

absl::StatusOr<std::vector<Block>> FindEntries(const Lines& lines, const ChainText& chain) {
  std::vector<Block> entries;
  for (int i = 0; i < chain.config.processors_size(); ++i) {
    const auto range = chain.ranges.find(absl::StrCat("processors[", i, "]"));
    if (range == chain.ranges.end()) return CannotMove(chain);
    entries.push_back({lines.Offset(range->second.begin), lines.Offset(range->second.end)});
  }
  return entries;
}

// The first entry that shares a line with another or with something else, so that comments cannot
// be told to be of either; otherwise extends all to whole lines with their comments.
std::optional<int> ExtendToComments(absl::string_view text, const Lines& lines,
                                    std::vector<Block>& entries) {
  const CommentFinder finder(text, lines);
  std::vector<Block> blocks = entries;
  size_t floor = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (!finder.Extend(floor, blocks[i])) return static_cast<int>(i);
    floor = blocks[i].end;
  }
  entries = std::move(blocks);
  return std::nullopt;
}

// Whether there is a comment in bytes [begin, end), which no string reaches into or out of.
bool HasComment(absl::string_view text, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) {
    if (text[i] == '#') {
      if (!IsFileComment(text.substr(i))) return true;
      i = std::min(text.find('\n', i), end);
    } else if (text[i] == '"' || text[i] == '\'') {
      for (const char quote = text[i++]; i < end && text[i] != quote; ++i) i += text[i] == '\\';
    }
  }
  return false;
}

// Whether a comment stands outside the entries that could be about one of them.
bool HasCommentsBetween(absl::string_view text, absl::Span<const Block> entries) {
  size_t floor = 0;
  for (const Block& entry : entries) {
    if (HasComment(text, floor, entry.begin)) return true;
    floor = entry.end;
  }
  return HasComment(text, floor, text.size());
}

bool IsElement(absl::string_view text, const Block& entry) {
  return text[entry.begin] == '{' || text[entry.begin] == '<';
}

// Whether all entries stand in one list, whose elements change places and nothing else.
bool AreOneList(absl::string_view text, absl::Span<const Block> entries) {
  for (size_t i = 0; i < entries.size(); ++i) {
    if (!IsElement(text, entries[i])) return false;
    if (i == 0) continue;
    const size_t before = entries[i - 1].end;
    if (absl::StrContains(text.substr(before, entries[i].begin - before), ']')) return false;
  }
  return true;
}

// Whether a comment stands between the elements of a list of entries, where it cannot go with one.
bool HasCommentsInList(absl::string_view text, absl::Span<const Block> entries) {
  size_t floor = 0;
  for (const Block& entry : entries) {
    const size_t before = std::max(floor, text.rfind('[', entry.begin) + 1);
    const size_t behind = std::min(text.find_first_of("],", entry.end), text.size());
    floor = entry.end;
    if (!IsElement(text, entry)) continue;
    if (absl::StrContains(text.substr(before, entry.begin - before), '#')) return true;
    if (absl::StrContains(text.substr(entry.end, behind - entry.end), '#')) return true;
  }
  return false;
}

std::string Permute(absl::string_view text, absl::Span<const Block> blocks,
                    absl::Span<const int> order) {
  std::string result;
  size_t copied = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Block& moved = blocks[order[i]];
    absl::StrAppend(&result, text.substr(copied, blocks[i].begin - copied),
                    text.substr(moved.begin, moved.end - moved.begin));
    copied = blocks[i].end;
  }
  absl::StrAppend(&result, text.substr(copied));
  return result;
}

// Whether the text is the chain that it shall be, whatever was overlooked in its making.
bool IsReordered(absl::string_view text, const ChainText& chain, absl::Span<const int> order) {
  ChainConfig expected = chain.config;
  expected.clear_processors();
  for (const int index : order) *expected.add_processors() = chain.config.processors(index);
  const absl::StatusOr<ChainText> parsed = ParseChainText(text, chain.filename);
  return parsed.ok() &&
         google::protobuf::util::MessageDifferencer::Equals(parsed->config, expected);
}

}  // namespace

absl::StatusOr<std::string> ReorderRules(absl::string_view text, const ChainText& chain,
                                         absl::Span<const int> order) {
  const Lines lines(text);
  absl::StatusOr<std::vector<Block>> blocks = FindEntries(lines, chain);
  if (!blocks.ok()) return blocks.status();
  if (HasCommentsInList(text, *blocks)) return CannotMove(chain);
  const std::optional<int> shared = ExtendToComments(text, lines, *blocks);
  if (shared && !AreOneList(text, *blocks) && HasCommentsBetween(text, *blocks)) {
    return CannotMoveComments(chain, *shared);
  }
  std::string result = Permute(text, *blocks, order);
  if (!IsReordered(result, chain, order)) return CannotMove(chain);
  return result;
}

}  // namespace logitchain
