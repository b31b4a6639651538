#ifndef LOGITCHAIN_TESTS_GRAMMAR_TESTING_STRING_FORMATS_H_
#define LOGITCHAIN_TESTS_GRAMMAR_TESTING_STRING_FORMATS_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace logitchain {

// Whether `text` has a format of JSON Schema, found by taking it apart rather than by a regular
// expression. Nullopt for formats that this does not know.
std::optional<bool> HasFormat(absl::string_view format, const std::string& text);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_GRAMMAR_TESTING_STRING_FORMATS_H_
