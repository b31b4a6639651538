#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_KEYWORD_VALUES_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_KEYWORD_VALUES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/decimal.h"
#include "logitchain/grammar/json_schema/schema_context.h"

namespace logitchain {

// Checks of the values that keywords have. Errors name the value's pointer and what it must be.

absl::Status CheckKind(const SchemaContext& context, const JsonValue& value, JsonValue::Kind kind);
absl::Status CheckIsSchema(const SchemaContext& context, const JsonValue& value);
// An array with at least one schema, of schemas only.
absl::Status CheckSchemaList(const SchemaContext& context, const JsonValue& value);
// An object of schemas.
absl::Status CheckSchemaMap(const SchemaContext& context, const JsonValue& value);
// An array of strings.
absl::Status CheckStringList(const SchemaContext& context, const JsonValue& value);
// A whole number from 0 on; large ones become the largest count.
absl::StatusOr<int32_t> ReadCount(const SchemaContext& context, const JsonValue& value);
absl::StatusOr<Decimal> ReadDecimal(const SchemaContext& context, const JsonValue& value);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_KEYWORD_VALUES_H_
