#ifndef LOGITCHAIN_GRAMMAR_ENGINE_TEXT_CHARACTERS_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_TEXT_CHARACTERS_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace logitchain {

// Text characters are those that stand for themselves in a JSON string: all of Unicode but the
// quote, the backslash and the controls U+0000 to U+001F and U+007F. Most tokens are made of them,
// so what most grammars have to say about most tokens is how many of them may come.

struct ByteInterval {
  uint8_t first;
  uint8_t last;
};

// The UTF-8 forms of text characters (table 3-7 of the Unicode standard): each form has a range of
// bytes for each place.
absl::Span<const absl::Span<const ByteInterval>> TextCharacterForms();

// The number of text characters that `bytes` consists of, counting a last one that lacks bytes; 0
// if there is anything else in it.
int CountTextCharacters(absl::string_view bytes);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_TEXT_CHARACTERS_H_
