#include "logitchain/grammar/json_schema/string_texts.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/regex/character_coding.h"
#include "logitchain/grammar/regex/literal_set.h"
#include "logitchain/grammar/regex/regex_arena.h"
#include "logitchain/grammar/syntax/text_cursor.h"

namespace logitchain {

RegexId StringsOf(const std::vector<std::string>& texts, CharacterCoding& coding) {
  std::vector<std::vector<RegexId>> sequences;
  for (const std::string& text : texts) {
    std::vector<RegexId>& characters = sequences.emplace_back();
    TextCursor cursor(text);
    while (!cursor.AtEnd()) {
      characters.push_back(coding.Character(cursor.ReadCharacter()));
    }
  }
  return SequenceSet(std::move(sequences), coding.arena());
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

}  // namespace logitchain
