#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_STRING_FORMAT_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_STRING_FORMAT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "logitchain/grammar/syntax/regex_tree.h"

namespace logitchain {

enum class FormatSupport {
  kSupported,
  kUnsupported,  // JSON Schema has it, but no regular expression says what it means.
  kUnknown       // JSON Schema does not have it; it is an annotation.
};

FormatSupport SupportOfFormat(absl::string_view format);

// The regular expression, for the whole of a string, that a supported format stands for: the
// grammar of the format's RFC. It leaves out what is not regular, which is never more than the RFC
// allows: host names have no labels with hyphens at the third and fourth place, since whether xn--…
// is a name hangs on Punycode.
struct FormatPattern {
  std::string text;
  RegexTree tree;
};

// Parsed when it is first asked for, and kept for good.
const FormatPattern& PatternOfFormat(absl::string_view format);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_STRING_FORMAT_H_
