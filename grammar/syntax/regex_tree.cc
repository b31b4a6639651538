#include "logitchain/grammar/syntax/regex_tree.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/regex/code_point_set.h"
#include "logitchain/grammar/regex/regex_arena.h"
#include "logitchain/grammar/syntax/regex_escape.h"
#include "logitchain/grammar/syntax/text_cursor.h"

namespace logitchain {
namespace {

using Kind = RegexTreeNode::Kind;

constexpr int kMaxGroupNesting = 200;
constexpr int32_t kMaxCount = 1'000'000;

bool IsNameByte(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

bool IsPosixNameByte(char c) {
  return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '^';
}

class RegexParser {
 public:
  explicit RegexParser(absl::string_view pattern) : cursor_(pattern) {}

  absl::StatusOr<RegexTree> Parse() {
    ParseAlternatives();
    if (!cursor_.AtEnd()) cursor_.Fail("there is no ( for this )");
    if (!cursor_.ok()) return cursor_.status();
    return std::move(tree_);
  }

 private:
  int32_t Add(RegexTreeNode node) {
    node.has_assertion = node.kind >= Kind::kStart;
    for (const int32_t child : node.children) {
      node.has_assertion |= tree_.nodes[child].has_assertion;
    }
    tree_.nodes.push_back(std::move(node));
    return static_cast<int32_t>(tree_.nodes.size()) - 1;
  }

  int32_t AddCharacters(size_t begin, CodePointSet characters) {
    return Add({.kind = Kind::kCharacter, .offset = begin, .characters = std::move(characters)});
  }

  int32_t ParseAlternatives() {
    RegexTreeNode node = {.kind = Kind::kAlternatives, .offset = cursor_.offset()};
    do {
      node.children.push_back(ParseSequence());
    } while (cursor_.Consume("|"));
    return Add(std::move(node));
  }

  int32_t ParseSequence() {
    RegexTreeNode node = {.kind = Kind::kSequence, .offset = cursor_.offset()};
    while (!cursor_.AtEnd() && cursor_.Peek() != '|' && cursor_.Peek() != ')') {
      node.children.push_back(ParseTerm());
    }
    return Add(std::move(node));
  }

  int32_t ParseTerm() {
    const size_t begin = cursor_.offset();
    const int32_t atom = ParseAtom();
    const std::optional<std::pair<int32_t, int32_t>> count = ParseQuantifier();
    if (!count.has_value()) return atom;
    if (tree_.nodes[atom].kind >= Kind::kStart) {
      cursor_.FailAt(begin, "an assertion cannot be repeated");
    }
    const int32_t repeat = Add({.kind = Kind::kRepeat,
                                .offset = begin,
                                .children = {atom},
                                .min = count->first,
                                .max = count->second});
    const size_t behind = cursor_.offset();
    if (ParseQuantifier().has_value()) {
      cursor_.FailAt(behind, "a second quantifier needs a group around the first, (?:…)");
    }
    return repeat;
  }

  int32_t ParseAtom() {
    const size_t begin = cursor_.offset();
    if (ParseQuantifier().has_value()) cursor_.FailAt(begin, "there is nothing to repeat");
    if (cursor_.AtEnd()) return AddCharacters(begin, {});
    switch (const char32_t c = cursor_.ReadCharacter()) {
      case '^':
        return Add({.kind = Kind::kStart, .offset = begin});
      case '$':
        return Add({.kind = Kind::kEnd, .offset = begin});
      case '.':
        return AddCharacters(begin, RegexDot());
      case '[':
        return AddCharacters(begin, ParseClass(begin));
      case '(':
        return ParseGroup(begin);
      case '\\':
        return ParseEscape(begin);
      default:
        return AddCharacters(begin, CodePointSet::Of(c));
    }
  }

  int32_t ParseEscape(size_t begin) {
    const char next = cursor_.Peek();
    if (next == 'b' || next == 'B') {
      cursor_.FailAt(begin, "a word boundary is not supported");
    } else if (next == 'k' || (next >= '1' && next <= '9')) {
      cursor_.FailAt(begin, "a reference to a group is not supported");
    }
    return AddCharacters(begin, ReadRegexEscape(cursor_, /*in_class=*/false));
  }

  int32_t ParseGroup(size_t begin) {
    Kind kind = Kind::kAlternatives;
    if (cursor_.Consume("?=")) {
      kind = Kind::kAhead;
    } else if (cursor_.Consume("?!")) {
      kind = Kind::kNotAhead;
    } else if (cursor_.NextIs("?<=") || cursor_.NextIs("?<!")) {
      cursor_.FailAt(begin, "look-behind is not supported");
    } else if (cursor_.Consume("?<")) {
      ReadGroupName();
    } else if (cursor_.NextIs("?") && !cursor_.Consume("?:")) {
      cursor_.FailAt(begin, "this kind of group is not supported");
    }
    if (++nesting_ > kMaxGroupNesting) {
      cursor_.FailAt(begin, absl::StrCat("is nested deeper than ", kMaxGroupNesting, " groups"));
    }
    const int32_t inner = ParseAlternatives();
    --nesting_;
    if (!cursor_.Consume(")")) cursor_.FailAt(begin, "there is no ) for this (");
    if (kind == Kind::kAlternatives) return inner;
    return Add({.kind = kind, .offset = begin, .children = {inner}});
  }

  void ReadGroupName() {
    const size_t begin = cursor_.offset();
    const absl::string_view name = cursor_.ReadWhile(IsNameByte);
    if (name.empty() || absl::ascii_isdigit(name[0]) || !cursor_.Consume(">")) {
      cursor_.FailAt(begin,
                     "(?< must be followed by a name of letters, digits, _ and $ that begins with "
                     "no digit, and >");
    } else if (!group_names_.insert(name).second) {
      cursor_.FailAt(begin, absl::StrCat("the group name ", name, " is used already"));
    }
  }

  // Behind the opening bracket.
  CodePointSet ParseClass(size_t begin) {
    const bool negated = cursor_.Consume("^");
    std::vector<CodePointRange> ranges;
    while (!cursor_.AtEnd() && cursor_.Peek() != ']') AddClassRange(ranges);
    if (!cursor_.Consume("]")) cursor_.FailAt(begin, "there is no ] for this [");
    const CodePointSet set(std::move(ranges));
    return negated ? ~set : set;
  }

  void AddClassRange(std::vector<CodePointRange>& ranges) {
    const size_t begin = cursor_.offset();
    const CodePointSet first = ParseClassAtom();
    CodePointSet last;
    const bool is_range = cursor_.NextIs("-") && !cursor_.NextIs("-]");
    if (is_range) {
      cursor_.Consume("-");
      last = cursor_.AtEnd() ? CodePointSet() : ParseClassAtom();
    }
    if (is_range && (!first.Only() || !last.Only())) {
      cursor_.FailAt(begin, "a range must be from one character to another");
    } else if (is_range) {
      const char32_t from = *first.Only();
      const char32_t to = *last.Only();
      if (to < from) cursor_.FailAt(begin, "a range must not end before its start");
      ranges.push_back({from, to});
    } else {
      ranges.insert(ranges.end(), first.ranges().begin(), first.ranges().end());
    }
  }

  CodePointSet ParseClassAtom() {
    if (cursor_.NextIs("[:")) RefusePosixClass();
    if (cursor_.AtEnd()) return {};
    if (cursor_.Consume("\\")) return ReadRegexEscape(cursor_, /*in_class=*/true);
    return CodePointSet::Of(cursor_.ReadCharacter());
  }

  // Of [[:alpha:]], which others take for letters and ECMA-262 for two characters, of which the
  // second is ].
  void RefusePosixClass() {
    const absl::string_view rest = cursor_.rest();
    const size_t size = rest.find(":]", 2);
    if (size == rest.npos || !absl::c_all_of(rest.substr(2, size - 2), IsPosixNameByte)) return;
    cursor_.Fail(absl::StrCat(rest.substr(0, size + 2),
                              " is not supported; write \\p{L} (letters), \\p{Lu}, \\p{Ll}, "
                              "\\p{P} (punctuation), \\d, \\s or \\w"));
  }

  std::optional<std::pair<int32_t, int32_t>> ParseQuantifier() {
    std::optional<std::pair<int32_t, int32_t>> count;
    if (cursor_.Consume("*")) {
      count = {0, kUnbounded};
    } else if (cursor_.Consume("+")) {
      count = {1, kUnbounded};
    } else if (cursor_.Consume("?")) {
      count = {0, 1};
    } else {
      count = ParseBraces();
    }
    if (count.has_value()) cursor_.Consume("?");
    return count;
  }

  // A brace that is no quantifier stands for itself.
  std::optional<std::pair<int32_t, int32_t>> ParseBraces() {
    const size_t begin = cursor_.offset();
    if (!cursor_.Consume("{")) return std::nullopt;
    const std::optional<int32_t> min = cursor_.ReadNumber(kMaxCount);
    std::optional<int32_t> max = min;
    const size_t behind_min = cursor_.offset();
    if (cursor_.Consume(",")) {
      max = cursor_.NextIs("}") ? kUnbounded : cursor_.ReadNumber(kMaxCount);
    }
    if (!cursor_.ok()) return std::nullopt;
    const absl::string_view rest_of_count = cursor_.TextFrom(behind_min);
    if (!max.has_value() || !cursor_.Consume("}")) {
      cursor_.MoveTo(begin);
      return std::nullopt;
    }
    if (!min.has_value()) {
      cursor_.FailAt(
          begin, absl::StrCat("a count must have a least number; write {0", rest_of_count, "}"));
      return std::nullopt;
    }
    if (*max < *min) cursor_.FailAt(begin, "the largest count is less than the smallest");
    return std::pair(*min, *max);
  }

  TextCursor cursor_;
  RegexTree tree_;
  absl::flat_hash_set<absl::string_view> group_names_;
  int nesting_ = 0;
};

}  // namespace

absl::StatusOr<RegexTree> ParseRegexTree(absl::string_view pattern) {
  if (pattern.size() > kMaxRegexSize) {
    return absl::InvalidArgumentError(absl::StrCat(
        "has ", pattern.size(), " bytes; a regular expression has at most ", kMaxRegexSize));
  }
  return RegexParser(pattern).Parse();
}

}  // namespace logitchain
