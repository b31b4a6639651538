#include "logitchain/grammar/syntax/ebnf_syntax.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/regex/regex_arena.h"
#include "logitchain/grammar/syntax/gbnf_syntax.h"
#include "logitchain/grammar/syntax/rule_references.h"
#include "logitchain/grammar/syntax/text_cursor.h"

namespace logitchain {
namespace {

bool IsNameByte(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class EbnfParser {
 public:
  explicit EbnfParser(absl::string_view text) : cursor_(text), rules_(builder_, cursor_) {}

  absl::StatusOr<Grammar> Parse() {
    SkipSpace();
    while (!cursor_.AtEnd()) ParseRule();
    return rules_.Build();
  }

 private:
  void ParseRule() {
    const size_t begin = cursor_.offset();
    const absl::string_view name = cursor_.ReadWhile(IsNameByte);
    if (name.empty() || !ConsumeToken("=")) {
      cursor_.FailAt(begin, "a rule must be a name, =, what it stands for, and ;");
      return;
    }
    const NodeId body = ParseAlternatives();
    if (cursor_.ok() && !cursor_.NextIs(";")) cursor_.Fail(Unexpected());
    ConsumeToken(";");
    rules_.Define(name, begin, body);
  }

  absl::string_view Unexpected() const {
    switch (cursor_.Peek()) {
      case '\0':
        return "the rule must end with ;";
      case '-':
        return "an exception is not supported";
      case '?':
        return "a special sequence is not supported";
      default:
        return "this begins no expression; a rule ends with ;";
    }
  }

  NodeId ParseAlternatives() {
    std::vector<NodeId> alternatives;
    do {
      alternatives.push_back(ParseSequence());
    } while (ConsumeToken("|"));
    return builder_.Choice(alternatives);
  }

  NodeId ParseSequence() {
    std::vector<NodeId> parts;
    do {
      while (const std::optional<NodeId> part = ParseFactor()) parts.push_back(*part);
    } while (ConsumeToken(","));
    return builder_.Sequence(parts);
  }

  // Nullopt if none begins here.
  std::optional<NodeId> ParseFactor() {
    SkipSpace();
    const size_t begin = cursor_.offset();
    const std::optional<int32_t> count = cursor_.ReadNumber(kMaxRepeatCount);
    if (count.has_value() && !ConsumeToken("*")) {
      cursor_.FailAt(begin, "a number must be followed by * and what it counts");
    }
    const std::optional<NodeId> primary = ParsePrimary();
    if (!count.has_value()) return primary;
    if (!primary.has_value()) {
      cursor_.Fail("there is nothing to repeat");
      return std::nullopt;
    }
    return builder_.Repeat(*primary, *count, *count);
  }

  std::optional<NodeId> ParsePrimary() {
    SkipSpace();
    const size_t begin = cursor_.offset();
    if (cursor_.NextIs("\"") || cursor_.NextIs("'")) return ParseLiteral();
    if (ConsumeToken("(")) return ParseGroup(begin, ")");
    if (ConsumeToken("[")) return builder_.Optional(ParseGroup(begin, "]"));
    if (ConsumeToken("{")) return builder_.Repeat(ParseGroup(begin, "}"), 0, kUnbounded);
    const absl::string_view name = cursor_.ReadWhile(IsNameByte);
    if (name.empty()) return std::nullopt;
    SkipSpace();
    return rules_.Refer(name, begin);
  }

  NodeId ParseGroup(size_t begin, absl::string_view close) {
    if (++nesting_ > kMaxGroupNesting) {
      cursor_.FailAt(begin, absl::StrCat("is nested deeper than ", kMaxGroupNesting, " groups"));
    }
    const NodeId inner = ParseAlternatives();
    --nesting_;
    if (!ConsumeToken(close)) {
      if (!cursor_.AtEnd() && !cursor_.NextIs(";")) cursor_.Fail(Unexpected());
      cursor_.FailAt(begin, absl::StrCat("there is no ", close, " for this"));
    }
    return inner;
  }

  NodeId ParseLiteral() {
    const size_t begin = cursor_.offset();
    const char quote = static_cast<char>(cursor_.ReadCharacter());
    const absl::string_view text = cursor_.ReadWhile([quote](char c) { return c != quote; });
    if (cursor_.AtEnd()) {
      cursor_.FailAt(begin, "the text has no closing quote");
    } else {
      cursor_.ReadCharacter();
    }
    SkipSpace();
    return builder_.Text(text);
  }

  bool ConsumeToken(absl::string_view token) {
    SkipSpace();
    if (!cursor_.Consume(token)) return false;
    SkipSpace();
    return true;
  }

  // White space and comments.
  void SkipSpace() {
    while (true) {
      cursor_.ReadWhile([](char c) { return absl::ascii_isspace(static_cast<unsigned char>(c)); });
      if (!cursor_.NextIs("(*")) return;
      cursor_.SkipComment("*)");
    }
  }

  TextCursor cursor_;
  GrammarBuilder builder_;
  RuleReferences rules_;
  int nesting_ = 0;
};

bool IsIsoEbnf(absl::string_view text) {
  // GBNF's comments begin with #, and one before the first rule may have any sign in it.
  absl::string_view rest = absl::StripLeadingAsciiWhitespace(text);
  while (!rest.empty() && rest[0] == '#') {
    rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
    rest = absl::StripLeadingAsciiWhitespace(rest);
  }
  const size_t sign = rest.find('=');
  return sign != rest.npos && (sign == 0 || rest[sign - 1] != ':');
}

}  // namespace

absl::StatusOr<Grammar> EbnfGrammar(absl::string_view text) {
  if (absl::Status status = CheckGrammarSize(text); !status.ok()) return status;
  return EbnfParser(text).Parse();
}

absl::StatusOr<Grammar> GbnfOrEbnfGrammar(absl::string_view text) {
  return IsIsoEbnf(text) ? EbnfGrammar(text) : GbnfGrammar(text);
}

absl::StatusOr<Grammar> EbnfOrW3cGrammar(absl::string_view text) {
  return IsIsoEbnf(text) ? EbnfGrammar(text) : W3cGrammar(text);
}

}  // namespace logitchain
