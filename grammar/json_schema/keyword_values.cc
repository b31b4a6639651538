#include "logitchain/grammar/json_schema/keyword_values.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/decimal.h"
#include "logitchain/grammar/json_schema/schema_context.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

absl::Status CheckKind(const SchemaContext& context, const JsonValue& value, JsonValue::Kind kind) {
  if (value.kind == kind) return absl::OkStatus();
  return context.Malformed(
      value, absl::StrCat("is ", KindName(value.kind), "; it must be ", KindName(kind)));
}

absl::Status CheckIsSchema(const SchemaContext& context, const JsonValue& value) {
  if (value.is_object() || value.is_bool()) return absl::OkStatus();
  return context.Malformed(
      value, absl::StrCat("is ", KindName(value.kind), "; it must be an object or a boolean"));
}

absl::Status CheckSchemaList(const SchemaContext& context, const JsonValue& value) {
  if (absl::Status status = CheckKind(context, value, JsonValue::Kind::kArray); !status.ok()) {
    return status;
  }
  if (value.elements.empty()) return context.Malformed(value, "is empty; it must have a schema");
  for (const JsonValue& schema : value.elements) {
    if (absl::Status status = CheckIsSchema(context, schema); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status CheckSchemaMap(const SchemaContext& context, const JsonValue& value) {
  if (absl::Status status = CheckKind(context, value, JsonValue::Kind::kObject); !status.ok()) {
    return status;
  }
  for (const JsonValue& schema : value.elements) {
    if (absl::Status status = CheckIsSchema(context, schema); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status CheckStringList(const SchemaContext& context, const JsonValue& value) {
  if (absl::Status status = CheckKind(context, value, JsonValue::Kind::kArray); !status.ok()) {
    return status;
  }
  for (const JsonValue& text : value.elements) {
    if (absl::Status status = CheckKind(context, text, JsonValue::Kind::kString); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<int32_t> ReadCount(const SchemaContext& context, const JsonValue& value) {
  const absl::StatusOr<Decimal> decimal = ReadDecimal(context, value);
  if (!decimal.ok()) return decimal.status();
  if (decimal->negative || !decimal->is_integer()) {
    return context.Malformed(
        value, absl::StrCat("is ", value.text, "; it must be a whole number from 0 on"));
  }
  int32_t count = 0;
  if (decimal->whole.empty()) return 0;
  return absl::SimpleAtoi(decimal->whole, &count) ? std::min(count, kUnbounded - 1)
                                                  : kUnbounded - 1;
}

absl::StatusOr<Decimal> ReadDecimal(const SchemaContext& context, const JsonValue& value) {
  if (absl::Status status = CheckKind(context, value, JsonValue::Kind::kNumber); !status.ok()) {
    return status;
  }
  const std::optional<Decimal> decimal = ParseDecimal(value.text);
  if (!decimal.has_value()) return context.Malformed(value, "has more than 400 digits");
  return *decimal;
}

}  // namespace logitchain
