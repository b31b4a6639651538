#include "logitchain/grammar/syntax/gbnf_syntax.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/regex/character_coding.h"
#include "logitchain/grammar/regex/code_point_set.h"
#include "logitchain/grammar/regex/regex_arena.h"
#include "logitchain/grammar/syntax/rule_references.h"
#include "logitchain/grammar/syntax/text_cursor.h"

namespace logitchain {
namespace {

// The most digits of a W3C character by number, such as #x10FFFF.
constexpr size_t kMaxNumberDigits = 6;

bool IsNameByte(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
}

class GbnfParser {
 public:
  GbnfParser(absl::string_view text, bool has_numbers)
      : cursor_(text),
        coding_(builder_.regexes()),
        rules_(builder_, cursor_),
        has_numbers_(has_numbers) {}

  absl::StatusOr<Grammar> Parse() {
    SkipSpace();
    while (!cursor_.AtEnd()) ParseRule();
    return rules_.Build();
  }

 private:
  void ParseRule() {
    const size_t begin = cursor_.offset();
    const absl::string_view name = cursor_.ReadWhile(IsNameByte);
    SkipSpace();
    if (name.empty() || !cursor_.Consume("::=")) {
      cursor_.FailAt(begin, "a rule must be a name, ::=, and what it stands for");
      return;
    }
    SkipSpace();
    const NodeId body = ParseAlternatives();
    if (!cursor_.AtEnd() && !AtRule()) cursor_.Fail(Unexpected());
    rules_.Define(name, begin, body);
  }

  absl::string_view Unexpected() const {
    switch (cursor_.Peek()) {
      case ')':
        return "there is no ( for this )";
      case '<':
      case '!':
        return "tokens are not supported; a grammar is one of text";
      case '-':
        return "the difference of two expressions is not supported";
      case '*':
      case '+':
      case '?':
      case '{':
        return "there is nothing to repeat";
      default:
        return "this begins no expression";
    }
  }

  NodeId ParseAlternatives() {
    std::vector<NodeId> alternatives;
    do {
      SkipSpace();
      alternatives.push_back(ParseSequence());
    } while (cursor_.Consume("|"));
    return builder_.Choice(alternatives);
  }

  NodeId ParseSequence() {
    std::vector<NodeId> parts;
    while (!cursor_.AtEnd()) {
      const std::optional<NodeId> atom = ParseAtom();
      if (!atom.has_value()) break;
      parts.push_back(ParseQuantifiers(*atom));
    }
    return builder_.Sequence(parts);
  }

  // Nullopt if none begins here.
  std::optional<NodeId> ParseAtom() {
    const size_t begin = cursor_.offset();
    if (cursor_.NextIs("\"") || cursor_.NextIs("'")) return ParseLiteral();
    if (cursor_.Consume("[")) return builder_.Terminal(coding_.Character(ParseClass(begin)));
    if (cursor_.Consume(".")) return builder_.Terminal(coding_.Character(CodePointSet::All()));
    if (cursor_.Consume("(")) return ParseGroup(begin);
    if (AtNumber()) return builder_.Terminal(coding_.Character(ReadNumber()));
    if (AtRule()) return std::nullopt;
    const absl::string_view name = cursor_.ReadWhile(IsNameByte);
    if (name.empty() || name[0] == '-') {
      cursor_.MoveTo(begin);
      return std::nullopt;
    }
    return rules_.Refer(name, begin);
  }

  // Whether the next rule begins here.
  bool AtRule() {
    const size_t begin = cursor_.offset();
    const bool has_name = !cursor_.ReadWhile(IsNameByte).empty();
    SkipSpace();
    const bool at_rule = has_name && cursor_.NextIs("::=");
    if (cursor_.ok()) cursor_.MoveTo(begin);
    return at_rule;
  }

  NodeId ParseGroup(size_t begin) {
    if (++nesting_ > kMaxGroupNesting) {
      cursor_.FailAt(begin, absl::StrCat("is nested deeper than ", kMaxGroupNesting, " groups"));
    }
    const NodeId inner = ParseAlternatives();
    --nesting_;
    if (!cursor_.Consume(")")) {
      if (cursor_.AtEnd() || AtRule()) cursor_.FailAt(begin, "there is no ) for this (");
      cursor_.Fail(Unexpected());
    }
    return inner;
  }

  NodeId ParseLiteral() {
    const size_t begin = cursor_.offset();
    const char quote = cursor_.Peek();
    cursor_.ReadCharacter();
    std::vector<RegexId> characters;
    while (!cursor_.AtEnd() && cursor_.Peek() != quote && cursor_.Peek() != '\n') {
      characters.push_back(coding_.Character(ReadCharacter()));
    }
    if (cursor_.Peek() != quote) {
      cursor_.FailAt(begin, "the text has no closing quote in its line");
    } else {
      cursor_.ReadCharacter();
    }
    return builder_.Terminal(builder_.regexes().Concat(characters));
  }

  // Behind the opening bracket.
  CodePointSet ParseClass(size_t begin) {
    const bool negated = cursor_.Consume("^");
    std::vector<CodePointRange> ranges;
    while (!cursor_.AtEnd() && cursor_.Peek() != ']' && cursor_.Peek() != '\n') {
      const size_t range_begin = cursor_.offset();
      const char32_t first = ReadClassCharacter();
      char32_t last = first;
      if (cursor_.NextIs("-") && !cursor_.NextIs("-]")) {
        cursor_.Consume("-");
        last = cursor_.AtEnd() ? first : ReadClassCharacter();
      }
      if (last < first) cursor_.FailAt(range_begin, "a range must not end before its start");
      ranges.push_back({first, last});
    }
    if (!cursor_.Consume("]")) cursor_.FailAt(begin, "there is no ] for this [ in its line");
    if (ranges.empty() && !negated) cursor_.FailAt(begin, "the class is empty; nothing matches it");
    const CodePointSet set(std::move(ranges));
    return negated ? ~set : set;
  }

  // In a class nothing is a comment, so that a number needs no end.
  char32_t ReadClassCharacter() { return CountNumberDigits() > 0 ? ReadNumber() : ReadCharacter(); }

  // Whether a character by number comes next, and no comment.
  bool AtNumber() const {
    const size_t digits = CountNumberDigits();
    const absl::string_view behind = cursor_.rest().substr(digits == 0 ? 0 : 2 + digits);
    return digits > 0 && digits <= kMaxNumberDigits &&
           (behind.empty() || !absl::ascii_isalnum(static_cast<unsigned char>(behind[0])));
  }

  // The hexadecimal digits behind the #x that comes next; 0 if none comes.
  size_t CountNumberDigits() const {
    if (!has_numbers_ || !cursor_.NextIs("#x")) return 0;
    const absl::string_view digits = cursor_.rest().substr(2);
    return absl::c_find_if_not(digits, absl::ascii_isxdigit) - digits.begin();
  }

  char32_t ReadNumber() {
    const size_t digits = CountNumberDigits();
    if (digits > kMaxNumberDigits) {
      cursor_.Fail(absl::StrCat("#x has ", digits, " hexadecimal digits; it must have at most ",
                                kMaxNumberDigits));
      return 0;
    }
    cursor_.Consume("#x");
    return cursor_.ReadHexCharacter(static_cast<int>(digits));
  }

  char32_t ReadCharacter() {
    if (!cursor_.Consume("\\")) return cursor_.ReadCharacter();
    if (cursor_.AtEnd()) return 0;
    const size_t begin = cursor_.offset();
    const char32_t c = cursor_.ReadCharacter();
    switch (c) {
      case 'n':
        return '\n';
      case 'r':
        return '\r';
      case 't':
        return '\t';
      case 'x':
        return cursor_.ReadHexCharacter(2);
      case 'u':
        return cursor_.ReadHexCharacter(4);
      case 'U':
        return cursor_.ReadHexCharacter(8);
      default:
        break;
    }
    if (c >= 0x80 || !absl::ascii_ispunct(static_cast<unsigned char>(c))) {
      cursor_.FailAt(begin - 1, "this escape is not known");
    }
    return c;
  }

  NodeId ParseQuantifiers(NodeId node) {
    SkipSpace();
    while (!cursor_.AtEnd()) {
      if (cursor_.Consume("*")) {
        node = builder_.Repeat(node, 0, kUnbounded);
      } else if (cursor_.Consume("+")) {
        node = builder_.Repeat(node, 1, kUnbounded);
      } else if (cursor_.Consume("?")) {
        node = builder_.Optional(node);
      } else if (cursor_.NextIs("{")) {
        node = ParseBraces(node);
      } else {
        break;
      }
      SkipSpace();
    }
    return node;
  }

  NodeId ParseBraces(NodeId node) {
    const size_t begin = cursor_.offset();
    cursor_.Consume("{");
    SkipSpace();
    const std::optional<int32_t> min = cursor_.ReadNumber(kMaxRepeatCount);
    SkipSpace();
    std::optional<int32_t> max = min;
    if (cursor_.Consume(",")) {
      SkipSpace();
      max = cursor_.ReadNumber(kMaxRepeatCount);
      SkipSpace();
      if (!max.has_value() && min.has_value()) max = kUnbounded;
    }
    if (!cursor_.Consume("}") || !max.has_value()) {
      cursor_.FailAt(begin, "a count must be {2}, {2,}, {,4} or {2,4}");
      return node;
    }
    if (*max < min.value_or(0)) {
      cursor_.FailAt(begin, "the largest count is less than the smallest");
      return node;
    }
    return builder_.Repeat(node, min.value_or(0), *max);
  }

  // White space and comments.
  void SkipSpace() {
    while (true) {
      cursor_.ReadWhile([](char c) { return absl::ascii_isspace(static_cast<unsigned char>(c)); });
      if (AtNumber()) return;
      if (cursor_.NextIs("#")) {
        cursor_.ReadWhile([](char c) { return c != '\n'; });
      } else if (cursor_.NextIs("/*")) {
        cursor_.SkipComment("*/");
      } else {
        return;
      }
    }
  }

  TextCursor cursor_;
  GrammarBuilder builder_;
  Utf8Coding coding_;
  RuleReferences rules_;
  const bool has_numbers_;  // Whether #x41 is a character.
  int nesting_ = 0;
};

absl::StatusOr<Grammar> Parse(absl::string_view text, bool has_numbers) {
  if (absl::Status status = CheckGrammarSize(text); !status.ok()) return status;
  return GbnfParser(text, has_numbers).Parse();
}

}  // namespace

absl::StatusOr<Grammar> GbnfGrammar(absl::string_view text) {
  return Parse(text, /*has_numbers=*/false);
}

absl::StatusOr<Grammar> W3cGrammar(absl::string_view text) {
  return Parse(text, /*has_numbers=*/true);
}

}  // namespace logitchain
