#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_STRING_TEXTS_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_STRING_TEXTS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "logitchain/grammar/regex/character_coding.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// The expressions here are of what stands between the quotes of a JSON string.

// What says one of the texts as writers of JSON write it: what needs no escape has none, and what
// is not ASCII may have one.
RegexId CanonicalStrings(const std::vector<std::string>& texts, JsonStringCoding& coding);

// One of the ways of CanonicalStrings: nothing has an escape that needs none.
std::string CanonicalText(absl::string_view text);

// What says one of the texts, with whatever escapes JSON allows.
RegexId StringsInAnyForm(const std::vector<std::string>& texts, JsonStringCoding& coding);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_STRING_TEXTS_H_
