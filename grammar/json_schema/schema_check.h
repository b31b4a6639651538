#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SCHEMA_CHECK_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SCHEMA_CHECK_H_

#include "absl/status/status.h"
#include "logitchain/grammar/json_schema/schema_context.h"

namespace logitchain {

// What is wrong with a document's schemas beyond what the readers of keywords notice: a keyword
// that says something only together with others and is of a wrong type, a key that is probably a
// keyword with a slip of the pen (Unimplemented, or ignored if the translation is lenient), and
// references in a circle, by which a schema applies itself to the same value.
absl::Status CheckSchemas(SchemaContext& context);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SCHEMA_CHECK_H_
