#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SCHEMA_CONTEXT_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SCHEMA_CONTEXT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/number_texts.h"
#include "logitchain/grammar/json_schema/schema_document.h"
#include "logitchain/grammar/json_schema/shape.h"
#include "logitchain/grammar/regex/character_coding.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// What the parts of the translation of one JSON Schema share.
class SchemaContext {
 public:
  SchemaContext(const SchemaDocument& document, JsonStringCoding& coding, bool lenient);

  const SchemaDocument& document() const { return document_; }
  // Has all ways to write a string: for what is said of strings in general, and for complements.
  JsonStringCoding& coding() { return coding_; }
  // For what the schema lists or gives a form to.
  CanonicalStringCoding& canonical() { return canonical_; }
  RegexArena& arena() { return coding_.arena(); }
  NumberTexts& numbers() { return numbers_; }

  SchemaRef Ref(const JsonValue& schema, bool negated = false);
  const JsonValue& Schema(const SchemaRef& ref) const { return *schemas_[ref.number]; }
  // What nothing satisfies.
  SchemaRef False() { return {.number = 0, .negated = true}; }

  // The expressions of a shape, with what kAnything stands for in its place.
  RegexId NumbersOf(const Shape& shape) const { return Or(shape.number, any_number_); }
  RegexId StringsOf(const Shape& shape) const { return Or(shape.string, any_text_); }
  RegexId NamesOf(const Shape& shape) const { return Or(shape.names, any_text_); }
  // Texts between quotes that are not among these.
  RegexId OtherTexts(RegexId texts) { return arena().Both(any_text_, arena().Not(texts)); }

  // The strings in a format that is supported, without needless escapes or with all of them.
  absl::StatusOr<RegexId> StringsOfFormat(absl::string_view format, bool is_canonical);

  // An error about a part of the schema: its pointer, and the message.
  absl::Status Malformed(const JsonValue& part, absl::string_view message) const;
  // The same for what cannot be honoured. If the translation is lenient, the part is noted as
  // ignored instead, and the status is OK.
  absl::Status Unsupported(const JsonValue& part, absl::string_view message);
  // Notes that a part means nothing.
  void NoteIgnored(const JsonValue& part, absl::string_view message);
  const std::vector<std::string>& ignored() const { return ignored_; }

 private:
  static RegexId Or(RegexId regex, RegexId anything) {
    return regex == RegexArena::kAnything ? anything : regex;
  }

  const SchemaDocument& document_;
  JsonStringCoding& coding_;
  CanonicalStringCoding canonical_;
  NumberTexts numbers_;
  bool lenient_;
  std::vector<const JsonValue*> schemas_;
  absl::flat_hash_map<const JsonValue*, int32_t> schema_numbers_;
  absl::flat_hash_map<std::pair<std::string, bool>, RegexId> strings_of_formats_;
  std::vector<std::string> ignored_;
  const RegexId any_number_;
  const RegexId any_text_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SCHEMA_CONTEXT_H_
