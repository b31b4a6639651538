#include "logitchain/grammar/json_schema/shape_finder.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/schema_constraint.h"
#include "logitchain/grammar/json_schema/schema_context.h"
#include "logitchain/grammar/json_schema/schema_reader.h"
#include "logitchain/grammar/json_schema/shape.h"
#include "logitchain/grammar/json_schema/string_texts.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

// Alternatives that may be opened for one document.
constexpr int64_t kMaxSteps = 50'000;
// How deep items and members are looked into to see whether schemas exclude each other.
constexpr int kDisjointDepth = 3;
// Of functions that call themselves.
constexpr size_t kMaxDepth = 200;
// $ref after $ref.
constexpr int kMaxReferences = 100;

// The only keyword of a schema; null if it has another number of them.
const std::string* OnlyKeyword(const JsonValue& schema) {
  const std::string* only = nullptr;
  for (const std::string& key : schema.keys) {
    if (!IsKeyword(key)) continue;
    if (only != nullptr) return nullptr;
    only = &key;
  }
  return only;
}

bool SaysNothing(const JsonValue& schema) {
  return schema.is_bool() ? schema.boolean : absl::c_none_of(schema.keys, IsKeyword);
}

}  // namespace

// A point at which alternatives have been chosen.
struct ShapeFinder::Search {
  Shape shape;
  std::vector<SchemaRef> todo;  // The next one is the last.
  std::vector<SchemaRef> done;
  std::vector<const std::vector<Branch>*> choices;  // Still to be made.
  size_t depth = 0;                                 // Choices that have been made.
};

absl::StatusOr<const SchemaConstraint*> ShapeFinder::Read(const SchemaRef& ref) {
  const auto found = constraints_.find(ref);
  if (found != constraints_.end()) return found->second.get();
  if (being_read_.size() > kMaxDepth) {
    return absl::ResourceExhaustedError(
        absl::StrCat("schemas refer to schemas more than ", kMaxDepth, " deep"));
  }
  // A oneOf may ask what shapes it has itself.
  if (!being_read_.insert(ref).second) {
    return absl::AbortedError(
        absl::StrCat(context_.document().PointerTo(context_.Schema(ref)), " is defined by itself"));
  }
  absl::StatusOr<SchemaConstraint> constraint = ReadSchema(ref, context_, *this);
  being_read_.erase(ref);
  if (!constraint.ok()) return constraint.status();
  return (constraints_[ref] = std::make_unique<SchemaConstraint>(*std::move(constraint))).get();
}

absl::Status ShapeFinder::CountStep() {
  if (++steps_ <= kMaxSteps) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("the schema has more than ", kMaxSteps, " combinations of alternatives"));
}

absl::Status ShapeFinder::Explore(Search search, std::vector<Shape>& found) {
  if (absl::Status status = CountStep(); !status.ok()) return status;
  if (search.depth > kMaxDepth) {
    return absl::ResourceExhaustedError(
        absl::StrCat("alternatives have alternatives more than ", kMaxDepth, " deep"));
  }
  while (!search.todo.empty()) {
    const SchemaRef ref = search.todo.back();
    search.todo.pop_back();
    if (absl::c_linear_search(search.done, ref)) continue;
    // Nothing both satisfies a schema and does not.
    if (absl::c_linear_search(search.done, SchemaRef{ref.number, !ref.negated})) {
      return absl::OkStatus();
    }
    search.done.push_back(ref);
    const absl::StatusOr<const SchemaConstraint*> constraint = Read(ref);
    if (!constraint.ok()) return constraint.status();
    IntersectWith((*constraint)->shape, context_.arena(), search.shape);
    search.todo.insert(search.todo.end(), (*constraint)->schemas.rbegin(),
                       (*constraint)->schemas.rend());
    for (const std::vector<Branch>& choice : (*constraint)->choices) {
      search.choices.push_back(&choice);
    }
  }
  if (search.shape.types == 0) return absl::OkStatus();
  if (search.choices.empty()) {
    found.push_back(std::move(search.shape));
    return absl::OkStatus();
  }
  const std::vector<Branch>& choice = *search.choices.back();
  search.choices.pop_back();
  for (const Branch& branch : choice) {
    Search next = search;
    ++next.depth;
    IntersectWith(branch.shape, context_.arena(), next.shape);
    next.todo.assign(branch.schemas.rbegin(), branch.schemas.rend());
    if (next.shape.types == 0) continue;
    if (absl::Status status = Explore(std::move(next), found); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<ShapeList> ShapeFinder::ShapesOf(const SchemaSet& schemas) {
  const auto known = shapes_.find(schemas);
  if (known != shapes_.end()) return known->second;
  std::vector<Shape> found;
  const SchemaSet normal = Normalize(schemas);
  absl::Status status = Explore({.todo = {normal.rbegin(), normal.rend()}}, found);
  if (!status.ok()) return status;
  return shapes_[schemas] = std::make_shared<const std::vector<Shape>>(std::move(found));
}

SchemaSet ShapeFinder::Normalize(const SchemaSet& schemas) {
  SchemaSet normal;
  for (SchemaRef ref : schemas) {
    for (int i = 0; i < kMaxReferences && !ref.negated; ++i) {
      const JsonValue& schema = context_.Schema(ref);
      const std::string* only = schema.is_object() ? OnlyKeyword(schema) : nullptr;
      if (only == nullptr || *only != "$ref") break;
      const JsonValue* target = context_.document().Resolve(schema, schema.Find("$ref")->text);
      if (target == nullptr || !(target->is_object() || target->is_bool())) break;
      ref = context_.Ref(*target);
    }
    if (ref.negated || !SaysNothing(context_.Schema(ref))) normal = Union(normal, {ref});
  }
  return normal;
}

absl::StatusOr<bool> ShapeFinder::AreDisjoint(const SchemaSet& a, const SchemaSet& b) {
  const absl::StatusOr<ShapeList> a_shapes = ShapesOf(a);
  const absl::StatusOr<ShapeList> b_shapes = ShapesOf(b);
  for (const absl::StatusOr<ShapeList>* shapes : {&a_shapes, &b_shapes}) {
    if (absl::IsAborted(shapes->status())) return false;
    if (!shapes->ok()) return shapes->status();
  }
  for (const Shape& a_shape : **a_shapes) {
    for (const Shape& b_shape : **b_shapes) {
      if ((a_shape.types & b_shape.types) == 0) continue;
      Shape both = a_shape;
      IntersectWith(b_shape, context_.arena(), both);
      const absl::StatusOr<bool> empty = IsEmpty(both, kDisjointDepth);
      if (absl::IsAborted(empty.status())) return false;
      if (!empty.ok() || !*empty) return empty;
    }
  }
  return true;
}

absl::StatusOr<bool> ShapeFinder::IsEmpty(const SchemaSet& schemas, int depth) {
  if (absl::c_linear_search(schemas, context_.False())) return true;
  if (depth == 0) return false;
  const absl::StatusOr<ShapeList> shapes = ShapesOf(schemas);
  if (!shapes.ok()) return shapes.status();
  for (const Shape& shape : **shapes) {
    const absl::StatusOr<bool> empty = IsEmpty(shape, depth - 1);
    if (!empty.ok() || !*empty) return empty;
  }
  return true;
}

absl::StatusOr<bool> ShapeFinder::IsEmpty(const Shape& shape, int depth) {
  if (absl::Status status = CountStep(); !status.ok()) return status;
  if (shape.Has(kNullType | kBoolTypes)) return false;
  RegexArena& arena = context_.arena();
  if (shape.Has(kNumberType) && !arena.IsNothing(shape.number)) return false;
  if (shape.Has(kStringType) && !arena.IsNothing(shape.string)) return false;
  if (shape.Has(kArrayType)) {
    const absl::StatusOr<bool> no_array = HasNoArray(shape, depth);
    if (!no_array.ok() || !*no_array) return no_array;
  }
  return shape.Has(kObjectType) ? HasNoObject(shape, depth) : true;
}

absl::StatusOr<bool> ShapeFinder::HasNoArray(const Shape& shape, int depth) {
  if (shape.values.has_value()) {
    return absl::c_none_of(*shape.values, [](const JsonValue* value) { return value->is_array(); });
  }
  // More items are alike or rarely looked at.
  constexpr int32_t kMaxItems = 10;
  for (int32_t i = 0; i < std::min(shape.min_items, kMaxItems); ++i) {
    const absl::StatusOr<bool> empty = IsEmpty(ItemSchemas(shape, i), depth);
    if (!empty.ok() || *empty) return empty;
  }
  return shape.min_items > shape.max_items;
}

absl::StatusOr<bool> ShapeFinder::HasNoObject(const Shape& shape, int depth) {
  if (shape.values.has_value() &&
      absl::c_none_of(*shape.values, [](const JsonValue* value) { return value->is_object(); })) {
    return true;
  }
  if (static_cast<int64_t>(shape.required.size()) > shape.max_properties) return true;
  for (const std::string& name : shape.required) {
    if (!MatchesString(shape.names, name)) return true;
    const absl::StatusOr<bool> empty = IsEmpty(MemberSchemas(shape, name), depth);
    if (!empty.ok() || *empty) return empty;
  }
  return shape.min_properties > shape.max_properties;
}

bool ShapeFinder::MatchesString(RegexId regex, absl::string_view text) {
  RegexArena& arena = context_.arena();
  for (const char byte : CanonicalText(text)) {
    regex = arena.Derivative(regex, static_cast<uint8_t>(byte));
  }
  return arena.MatchesEmpty(regex);
}

SchemaSet ShapeFinder::MemberSchemas(const ObjectPart& part, absl::string_view name) {
  SchemaSet schemas;
  bool evaluated = false;
  for (const auto& [property, property_schemas] : part.properties) {
    if (property != name) continue;
    schemas = Union(schemas, property_schemas);
    evaluated = true;
  }
  for (const auto& [pattern, pattern_schemas] : part.patterns) {
    if (!MatchesString(pattern, name)) continue;
    schemas = Union(schemas, pattern_schemas);
    evaluated = true;
  }
  return evaluated ? schemas : part.additional;
}

SchemaSet ShapeFinder::MemberSchemas(const Shape& shape, absl::string_view name) {
  SchemaSet schemas;
  for (const std::shared_ptr<const ObjectPart>& part : shape.objects) {
    schemas = Union(schemas, MemberSchemas(*part, name));
  }
  return schemas;
}

SchemaSet ShapeFinder::ItemSchemas(const Shape& shape, size_t index) {
  SchemaSet schemas;
  for (const std::shared_ptr<const ArrayPart>& part : shape.arrays) {
    schemas = Union(schemas, index < part->prefix.size() ? part->prefix[index] : part->rest);
  }
  return schemas;
}

}  // namespace logitchain
