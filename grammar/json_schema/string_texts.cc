#include "logitchain/grammar/json_schema/string_texts.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/regex/byte_set.h"
#include "logitchain/grammar/regex/character_coding.h"
#include "logitchain/grammar/regex/code_point_set.h"
#include "logitchain/grammar/regex/literal_set.h"
#include "logitchain/grammar/regex/regex_arena.h"
#include "logitchain/grammar/syntax/text_cursor.h"

namespace logitchain {
namespace {

RegexId CanonicalCharacter(char32_t c, JsonStringCoding& coding) {
  if (c == '"' || c == '\\') {
    const char escape[] = {'\\', static_cast<char>(c)};
    return coding.arena().Literal(absl::string_view(escape, 2));
  }
  if (c >= 0x20 && c < 0x80) return coding.arena().Bytes(ByteSet::Of(static_cast<uint8_t>(c)));
  return coding.Character(CodePointSet::Of(c));
}

template <typename Encode>
RegexId SetOfTexts(const std::vector<std::string>& texts, JsonStringCoding& coding, Encode encode) {
  std::vector<std::vector<RegexId>> sequences;
  for (const std::string& text : texts) {
    std::vector<RegexId>& characters = sequences.emplace_back();
    TextCursor cursor(text);
    while (!cursor.AtEnd()) characters.push_back(encode(cursor.ReadCharacter(), coding));
  }
  return SequenceSet(std::move(sequences), coding.arena());
}

}  // namespace

RegexId CanonicalStrings(const std::vector<std::string>& texts, JsonStringCoding& coding) {
  return SetOfTexts(texts, coding, CanonicalCharacter);
}

std::string CanonicalText(absl::string_view text) {
  std::string canonical;
  for (const char c : text) {
    if (c == '"' || c == '\\') canonical.push_back('\\');
    if (static_cast<uint8_t>(c) < 0x20) {
      absl::StrAppendFormat(&canonical, "\\u%04x", c);
    } else {
      canonical.push_back(c);
    }
  }
  return canonical;
}

RegexId StringsInAnyForm(const std::vector<std::string>& texts, JsonStringCoding& coding) {
  return SetOfTexts(texts, coding, [](char32_t c, JsonStringCoding& any_form) {
    return any_form.Character(CodePointSet::Of(c));
  });
}

}  // namespace logitchain
