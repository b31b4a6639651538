#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_VALUE_CHECKER_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_VALUE_CHECKER_H_

#include "absl/status/statusor.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/schema_context.h"
#include "logitchain/grammar/json_schema/shape.h"
#include "logitchain/grammar/json_schema/shape_finder.h"

namespace logitchain {

// Checks values that a schema lists against the other keywords beside the list.
class ValueChecker {
 public:
  ValueChecker(SchemaContext& context, ShapeFinder& finder) : context_(context), finder_(finder) {}

  absl::StatusOr<bool> Satisfies(const JsonValue& value, const Shape& shape);
  absl::StatusOr<bool> Satisfies(const JsonValue& value, const SchemaSet& schemas);

 private:
  absl::StatusOr<bool> ItemsSatisfy(const JsonValue& value, const Shape& shape);
  absl::StatusOr<bool> MembersSatisfy(const JsonValue& value, const Shape& shape);
  bool NumberSatisfies(const JsonValue& value, const Shape& shape);

  SchemaContext& context_;
  ShapeFinder& finder_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_VALUE_CHECKER_H_
