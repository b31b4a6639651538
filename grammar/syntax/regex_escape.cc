#include "logitchain/grammar/syntax/regex_escape.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/regex/code_point_set.h"
#include "logitchain/grammar/syntax/text_cursor.h"

namespace logitchain {
namespace {

CodePointSet Digits() { return CodePointSet::Range('0', '9'); }

CodePointSet WordCharacters() {
  return CodePointSet({{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}});
}

// WhiteSpace and LineTerminator of ECMA-262.
CodePointSet Spaces() {
  return CodePointSet({{'\t', '\r'},
                       {' ', ' '},
                       {0xA0, 0xA0},
                       {0x1680, 0x1680},
                       {0x2000, 0x200A},
                       {0x2028, 0x2029},
                       {0x202F, 0x202F},
                       {0x205F, 0x205F},
                       {0x3000, 0x3000},
                       {0xFEFF, 0xFEFF}});
}

bool IsPropertyLetter(char c) { return absl::ascii_isalnum(c) || c == '_'; }

// Behind \p or \P.
CodePointSet ReadProperty(TextCursor& cursor) {
  const size_t begin = cursor.offset();
  if (!cursor.Consume("{")) {
    cursor.Fail("\\p must be followed by a property in braces, such as \\p{L}");
    return {};
  }
  const absl::string_view name = cursor.ReadWhile(IsPropertyLetter);
  const absl::string_view value =
      cursor.Consume("=") ? cursor.ReadWhile(IsPropertyLetter) : absl::string_view();
  if (!cursor.Consume("}")) {
    cursor.Fail("\\p{ must end with }");
    return {};
  }
  std::optional<CodePointSet> set = CodePointSet::WithProperty(name, value);
  if (!set.has_value()) {
    cursor.FailAt(begin, absl::StrCat("\\p{", name, value.empty() ? "" : "=", value,
                                      "} is not a Unicode property that is known"));
    return {};
  }
  return *std::move(set);
}

char32_t ReadBracedHex(TextCursor& cursor) {
  const size_t begin = cursor.offset();
  const absl::string_view digits = cursor.ReadWhile(absl::ascii_isxdigit);
  uint32_t value = 0;
  if (!cursor.Consume("}") || !absl::SimpleHexAtoi(digits, &value) || value > 0x10FFFF) {
    cursor.FailAt(begin, "\\u{ must be followed by hexadecimal digits, at most 10FFFF, and }");
    return 0;
  }
  return value;
}

// Behind \u. Two escaped surrogates are one character.
char32_t ReadUnicodeEscape(TextCursor& cursor) {
  if (cursor.Consume("{")) return ReadBracedHex(cursor);
  uint32_t high = 0;
  uint32_t low = 0;
  const absl::string_view rest = cursor.rest();
  if (rest.size() >= 10 && rest.substr(4, 2) == "\\u" &&
      absl::SimpleHexAtoi(rest.substr(0, 4), &high) && high >= 0xD800 && high <= 0xDBFF &&
      absl::SimpleHexAtoi(rest.substr(6, 4), &low) && low >= 0xDC00 && low <= 0xDFFF) {
    cursor.MoveTo(cursor.offset() + 10);
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
  }
  return cursor.ReadHexCharacter(4);
}

// Behind \c.
char32_t ReadControl(TextCursor& cursor) {
  if (!absl::ascii_isalpha(cursor.Peek())) {
    cursor.Fail("\\c must be followed by a letter from A to Z");
    return 0;
  }
  return cursor.ReadCharacter() % 32;
}

char32_t ReadNul(TextCursor& cursor) {
  if (absl::ascii_isdigit(cursor.Peek())) {
    cursor.Fail("an octal escape is not allowed; write \\xHH");
  }
  return 0;
}

}  // namespace

CodePointSet RegexDot() { return ~CodePointSet({{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}); }

CodePointSet ReadRegexEscape(TextCursor& cursor, bool in_class) {
  if (cursor.AtEnd()) {
    cursor.Fail("a backslash must be followed by a character");
    return {};
  }
  const size_t begin = cursor.offset();
  const char32_t letter = cursor.ReadCharacter();
  switch (letter) {
    case 'd':
      return Digits();
    case 'D':
      return ~Digits();
    case 'w':
      return WordCharacters();
    case 'W':
      return ~WordCharacters();
    case 's':
      return Spaces();
    case 'S':
      return ~Spaces();
    case 'p':
      return ReadProperty(cursor);
    case 'P':
      return ~ReadProperty(cursor);
    case 't':
      return CodePointSet::Of('\t');
    case 'n':
      return CodePointSet::Of('\n');
    case 'v':
      return CodePointSet::Of('\v');
    case 'f':
      return CodePointSet::Of('\f');
    case 'r':
      return CodePointSet::Of('\r');
    case '0':
      return CodePointSet::Of(ReadNul(cursor));
    case 'c':
      return CodePointSet::Of(ReadControl(cursor));
    case 'x':
      return CodePointSet::Of(cursor.ReadHexCharacter(2));
    case 'u':
      return CodePointSet::Of(ReadUnicodeEscape(cursor));
    default:
      break;
  }
  if (in_class && letter == 'b') return CodePointSet::Of('\b');
  if (letter < 0x80 && absl::ascii_isalnum(static_cast<unsigned char>(letter))) {
    cursor.FailAt(begin, absl::StrCat("\\", std::string(1, static_cast<char>(letter)),
                                      " is not an escape that is supported"));
  }
  return CodePointSet::Of(letter);
}

}  // namespace logitchain
