#include "logitchain/grammar/json_schema/shape.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/decimal.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

void IntersectArrays(const Shape& other, Shape& shape) {
  shape.arrays.insert(shape.arrays.end(), other.arrays.begin(), other.arrays.end());
  shape.min_items = std::max(shape.min_items, other.min_items);
  shape.max_items = std::min(shape.max_items, other.max_items);
  shape.some_items.insert(shape.some_items.end(), other.some_items.begin(), other.some_items.end());
  if (other.unique_items != nullptr) shape.unique_items = other.unique_items;
  shape.array_error.Update(other.array_error);
}

void IntersectObjects(const Shape& other, RegexArena& arena, Shape& shape) {
  shape.objects.insert(shape.objects.end(), other.objects.begin(), other.objects.end());
  for (const std::string& name : other.required) {
    if (!absl::c_linear_search(shape.required, name)) shape.required.push_back(name);
  }
  shape.names = arena.Both(shape.names, other.names);
  shape.min_properties = std::max(shape.min_properties, other.min_properties);
  shape.max_properties = std::min(shape.max_properties, other.max_properties);
  shape.some_members.insert(shape.some_members.end(), other.some_members.begin(),
                            other.some_members.end());
  shape.object_error.Update(other.object_error);
}

void IntersectValues(const Shape& other, Shape& shape) {
  if (!other.values.has_value()) return;
  if (!shape.values.has_value()) {
    shape.values = other.values;
    return;
  }
  std::erase_if(*shape.values, [&](const JsonValue* value) {
    return absl::c_none_of(*other.values,
                           [&](const JsonValue* same) { return SameValue(*value, *same); });
  });
}

bool SameNumber(const JsonValue& a, const JsonValue& b) {
  return a.text == b.text || ParseDecimal(a.text) == ParseDecimal(b.text);
}

bool SameElements(const JsonValue& a, const JsonValue& b) {
  return absl::c_equal(a.elements, b.elements, SameValue);
}

bool SameMembers(const JsonValue& a, const JsonValue& b) {
  for (size_t i = 0; i < a.keys.size(); ++i) {
    const JsonValue* other = b.Find(a.keys[i]);
    if (other == nullptr || !SameValue(a.elements[i], *other)) return false;
  }
  return a.keys.size() == b.keys.size();
}

}  // namespace

SchemaSet Union(const SchemaSet& a, const SchemaSet& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  SchemaSet both;
  absl::c_set_union(a, b, std::back_inserter(both));
  return both;
}

void IntersectWith(const Shape& other, RegexArena& arena, Shape& shape) {
  shape.types &= other.types;
  shape.number = arena.Both(shape.number, other.number);
  shape.string = arena.Both(shape.string, other.string);
  IntersectArrays(other, shape);
  IntersectObjects(other, arena, shape);
  IntersectValues(other, shape);
  if (shape.number == RegexArena::kNothing) shape.types &= ~kNumberType;
  if (shape.string == RegexArena::kNothing) shape.types &= ~kStringType;
  if (shape.min_items > shape.max_items) shape.types &= ~kArrayType;
  if (shape.min_properties > shape.max_properties) shape.types &= ~kObjectType;
}

bool SameValue(const JsonValue& a, const JsonValue& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case JsonValue::Kind::kNull:
      return true;
    case JsonValue::Kind::kBool:
      return a.boolean == b.boolean;
    case JsonValue::Kind::kString:
      return a.text == b.text;
    case JsonValue::Kind::kNumber:
      return SameNumber(a, b);
    case JsonValue::Kind::kArray:
      return SameElements(a, b);
    case JsonValue::Kind::kObject:
      return SameMembers(a, b);
  }
  return false;
}

}  // namespace logitchain
