#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_STRING_TEXTS_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_STRING_TEXTS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "logitchain/grammar/regex/character_coding.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// What says one of the texts, in each way that the coding has.
RegexId StringsOf(const std::vector<std::string>& texts, CharacterCoding& coding);

// What stands between the quotes of a JSON string that says `text`, without needless escapes.
std::string CanonicalText(absl::string_view text);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_STRING_TEXTS_H_
