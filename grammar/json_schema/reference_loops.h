#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_REFERENCE_LOOPS_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_REFERENCE_LOOPS_H_

#include "absl/status/status.h"
#include "logitchain/grammar/json_schema/schema_context.h"

namespace logitchain {

// InvalidArgument, with the pointer of a $ref, if a schema of the document applies itself to the
// same value, by references and schemas in place of it: it says nothing then. A schema that is
// within itself by way of a member or an item is fine.
absl::Status CheckReferenceLoops(const SchemaContext& context);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_REFERENCE_LOOPS_H_
