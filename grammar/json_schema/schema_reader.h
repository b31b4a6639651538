#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SCHEMA_READER_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SCHEMA_READER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/keyword.h"
#include "logitchain/grammar/json_schema/schema_constraint.h"
#include "logitchain/grammar/json_schema/schema_context.h"
#include "logitchain/grammar/json_schema/shape.h"

namespace logitchain {

// Whether a key of a schema says anything about values; others are annotations, which anyone may
// add.
bool IsKeyword(absl::string_view key);

// All keys of which that is so, in no order.
std::vector<std::string> KeywordNames();

// What a schema says by its keywords, or, if it is negated, what violates it.
absl::StatusOr<SchemaConstraint> ReadSchema(const SchemaRef& ref, SchemaContext& context,
                                            ShapeSource& shapes);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SCHEMA_READER_H_
