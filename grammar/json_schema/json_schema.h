#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_JSON_SCHEMA_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_JSON_SCHEMA_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/json/json_parts.h"

namespace logitchain {

enum class PropertyOrder {
  kAny,       // As JSON Schema has it: members in any order, each property at most once.
  kDeclared,  // The properties in the schema's order, then the others.
};

struct JsonSchemaOptions {
  JsonFormat format;
  PropertyOrder property_order = PropertyOrder::kAny;
  // Go on where a keyword cannot be honoured, as if it were not there, and list it.
  bool lenient = false;
};

struct JsonSchemaGrammar {
  Grammar grammar;
  // What was not honoured, each with its JSON pointer: formats that JSON Schema does not define
  // and, if `lenient`, keywords that are not supported.
  std::vector<std::string> ignored;
};

// The grammar of the JSON values that satisfy a schema of draft 2020-12; also understood is what
// earlier drafts, from 4 on, had in other words. Every keyword is honoured exactly, or is an error
// that names its JSON pointer: InvalidArgument for what is no schema, or a schema that nothing
// satisfies; Unimplemented for what is not supported. These are uniqueItems of items that no enum
// lists, minContains and maxContains, unevaluatedItems, unevaluatedProperties beside schemas that
// are applied in place, $dynamicRef, references out of the document, a $schema from elsewhere than
// json-schema.org, the formats idn-email, idn-hostname and regex, and negations (`not`, `if`, a
// oneOf of schemas that overlap) of what a grammar cannot negate. Formats are asserted. A oneOf is
// exact.
//
// A value has several texts, and not all are derived: names, listed strings and strings with a
// format have no needless escapes of ASCII, and numbers that are listed or have bounds (other than
// 0) or divisors no exponents. No label of a hostname has hyphens as its third and fourth
// characters, as internationalised ones have in ASCII. Of members that no property names, the same
// may come twice; readers of JSON then take the last.
absl::StatusOr<JsonSchemaGrammar> CompileJsonSchema(absl::string_view schema,
                                                    const JsonSchemaOptions& options);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_JSON_SCHEMA_H_
