#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SHAPE_FINDER_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SHAPE_FINDER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/json_schema/keyword.h"
#include "logitchain/grammar/json_schema/schema_constraint.h"
#include "logitchain/grammar/json_schema/schema_context.h"
#include "logitchain/grammar/json_schema/shape.h"

namespace logitchain {

// Finds the shapes that schemas come to together: what they say by their keywords, joined, for each
// way to choose among their alternatives. Schemas of items and members stay what they are.
class ShapeFinder final : public ShapeSource {
 public:
  explicit ShapeFinder(SchemaContext& context) : context_(context) {}

  // ResourceExhausted if there are too many ways to choose.
  absl::StatusOr<ShapeList> ShapesOf(const SchemaSet& schemas) override;
  absl::StatusOr<bool> AreDisjoint(const SchemaSet& a, const SchemaSet& b) override;

  // The same schemas, without those that say nothing, and with what a schema refers to in its place
  // where it does nothing else.
  SchemaSet Normalize(const SchemaSet& schemas);

  // What a part says of members with this name.
  SchemaSet MemberSchemas(const ObjectPart& part, absl::string_view name);
  SchemaSet MemberSchemas(const Shape& shape, absl::string_view name);
  // What a shape says of an item.
  static SchemaSet ItemSchemas(const Shape& shape, size_t index);

  // Whether `regex`, which is about what stands between the quotes of strings, matches `text`.
  bool MatchesString(RegexId regex, absl::string_view text);

 private:
  struct Search;

  absl::StatusOr<const SchemaConstraint*> Read(const SchemaRef& ref);
  // ResourceExhausted if there were too many.
  absl::Status CountStep();
  absl::Status Explore(Search search, std::vector<Shape>& found);
  // Whether it is known that nothing is in the shape. Looks so deep into items and members.
  absl::StatusOr<bool> IsEmpty(const Shape& shape, int depth);
  absl::StatusOr<bool> IsEmpty(const SchemaSet& schemas, int depth);
  absl::StatusOr<bool> HasNoArray(const Shape& shape, int depth);
  absl::StatusOr<bool> HasNoObject(const Shape& shape, int depth);

  SchemaContext& context_;
  absl::flat_hash_map<SchemaRef, std::unique_ptr<SchemaConstraint>> constraints_;
  absl::flat_hash_set<SchemaRef> being_read_;
  absl::flat_hash_map<SchemaSet, ShapeList> shapes_;
  int64_t steps_ = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SHAPE_FINDER_H_
