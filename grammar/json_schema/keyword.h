#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_KEYWORD_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_KEYWORD_H_

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/schema_constraint.h"
#include "logitchain/grammar/json_schema/schema_context.h"
#include "logitchain/grammar/json_schema/shape.h"

namespace logitchain {

using ShapeList = std::shared_ptr<const std::vector<Shape>>;

// What schemas come to, for keywords that have to know.
class ShapeSource {
 public:
  virtual ~ShapeSource() = default;

  // A value is in one of them exactly if it satisfies the schemas.
  virtual absl::StatusOr<ShapeList> ShapesOf(const SchemaSet& schemas) = 0;
  // Whether it is known that nothing is in both sets.
  virtual absl::StatusOr<bool> AreDisjoint(const SchemaSet& a, const SchemaSet& b) = 0;
};

// A keyword in a schema, with what its reading goes into.
struct KeywordUse {
  SchemaContext& context;
  ShapeSource& shapes;
  const JsonValue& schema;
  const JsonValue& value;
  // Whether what does not satisfy the schema is asked for.
  bool negated;
  // What the schema says, unless `negated`.
  SchemaConstraint& constraint;
  // What violates it, if `negated`; one of them is enough.
  std::vector<Branch>& violations;

  SchemaSet Set(const JsonValue& part, bool is_negated = false) const {
    return {context.Ref(part, is_negated)};
  }

  void Require(const Shape& shape) const {
    IntersectWith(shape, context.arena(), constraint.shape);
  }
  void RequireAll(const SchemaSet& schemas) const {
    constraint.schemas.insert(constraint.schemas.end(), schemas.begin(), schemas.end());
  }
  void Violate(Shape shape, SchemaSet schemas = {}) const {
    violations.push_back({std::move(shape), std::move(schemas)});
  }

  // That the negation of `part` cannot be honoured. A lenient translation goes on as if it held.
  absl::Status NegationUnsupported(const JsonValue& part, TypeSet type) const;
};

// Reads a keyword.
using KeywordReader = absl::Status (*)(const KeywordUse& use);

struct Keyword {
  absl::string_view name;
  KeywordReader read;
};

// By what they are about.
absl::Span<const Keyword> ValueKeywords();   // type, enum, const
absl::Span<const Keyword> NumberKeywords();  // minimum and so on
absl::Span<const Keyword> StringKeywords();  // pattern and so on
absl::Span<const Keyword> ArrayKeywords();   // items and so on
absl::Span<const Keyword> ObjectKeywords();  // properties and so on
absl::Span<const Keyword> LogicKeywords();   // allOf, $ref and so on

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_KEYWORD_H_
