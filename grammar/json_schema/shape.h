#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SHAPE_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SHAPE_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// A schema, or what does not satisfy it.
struct SchemaRef {
  int32_t number;  // In the order in which they were met; equal schemas need not have equal ones.
  bool negated = false;

  friend auto operator<=>(const SchemaRef&, const SchemaRef&) = default;

  template <typename H>
  friend H AbslHashValue(H state, const SchemaRef& ref) {
    return H::combine(std::move(state), ref.number, ref.negated);
  }
};

// What satisfies all of the schemas; ascending. With none of them, anything does.
using SchemaSet = std::vector<SchemaRef>;

SchemaSet Union(const SchemaSet& a, const SchemaSet& b);

// The types of JSON values, as bits. There is one for each boolean.
using TypeSet = uint8_t;
inline constexpr TypeSet kNullType = 1;
inline constexpr TypeSet kFalseType = 2;
inline constexpr TypeSet kTrueType = 4;
inline constexpr TypeSet kNumberType = 8;
inline constexpr TypeSet kStringType = 16;
inline constexpr TypeSet kArrayType = 32;
inline constexpr TypeSet kObjectType = 64;
inline constexpr TypeSet kBoolTypes = kFalseType | kTrueType;
inline constexpr TypeSet kAllTypes = 127;

// What one schema says of an array's items.
struct ArrayPart {
  std::vector<SchemaSet> prefix;
  SchemaSet rest;
};

// What one schema says of an object's members.
struct ObjectPart {
  std::vector<std::pair<std::string, SchemaSet>> properties;
  // The names that a pattern matches, as in a JSON string.
  std::vector<std::pair<RegexId, SchemaSet>> patterns;
  // Of the members that are in neither.
  SchemaSet additional;
};

// That an array has an item like this, from a place on.
struct ItemWitness {
  size_t first;
  SchemaSet schemas;
  const JsonValue* keyword;  // For messages.
};

// That an object has a member like this.
struct MemberWitness {
  RegexId names;
  SchemaSet schemas;
  const JsonValue* keyword;  // For messages.
};

// A set of JSON values, by type: what a schema comes to once the alternatives in it are chosen. The
// expressions are about the texts of numbers and about what stands between the quotes of strings;
// kAnything is all there can be, and others match no more than that.
struct Shape {
  TypeSet types = kAllTypes;
  RegexId number = RegexArena::kAnything;
  RegexId string = RegexArena::kAnything;

  // All must be satisfied. Shapes are copied at each alternative, so they share the parts.
  std::vector<std::shared_ptr<const ArrayPart>> arrays;
  int32_t min_items = 0;
  int32_t max_items = kUnbounded;
  // The keyword that says that no two items are the same; null if there is none.
  const JsonValue* unique_items = nullptr;
  std::vector<ItemWitness> some_items;  // All must be there; they may be the same item.

  std::vector<std::shared_ptr<const ObjectPart>> objects;  // All must be satisfied.
  std::vector<std::string> required;
  RegexId names = RegexArena::kAnything;  // Of all members.
  int32_t min_properties = 0;
  int32_t max_properties = kUnbounded;
  std::vector<MemberWitness> some_members;  // All must be there; they may be the same member.

  // If there is such a list, arrays and objects must be in it.
  std::optional<std::vector<const JsonValue*>> values;

  // Not OK if there is a keyword about arrays (objects) that cannot be honoured; it only matters if
  // there may be any.
  absl::Status array_error;
  absl::Status object_error;

  bool Has(TypeSet type) const { return (types & type) != 0; }
  void AddArrayPart(ArrayPart part) {
    arrays.push_back(std::make_shared<const ArrayPart>(std::move(part)));
  }
  void AddObjectPart(ObjectPart part) {
    objects.push_back(std::make_shared<const ObjectPart>(std::move(part)));
  }
};

// Leaves in `shape` what is in `other` as well.
void IntersectWith(const Shape& other, RegexArena& arena, Shape& shape);

// Whether two JSON values are the same: 1 is 1.0, and the order of members means nothing.
bool SameValue(const JsonValue& a, const JsonValue& b);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SHAPE_H_
