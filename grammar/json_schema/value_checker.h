#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_VALUE_CHECKER_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_VALUE_CHECKER_H_

#include <cstddef>

#include "absl/functional/function_ref.h"
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
  // Whether one of the elements that `may_be` allows, by their index, satisfies the schemas.
  absl::StatusOr<bool> SomeSatisfies(const JsonValue& value, absl::FunctionRef<bool(size_t)> may_be,
                                     const SchemaSet& schemas);
  bool NumberSatisfies(const JsonValue& value, const Shape& shape);

  SchemaContext& context_;
  ShapeFinder& finder_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_VALUE_CHECKER_H_
