#include "logitchain/grammar/json_schema/value_checker.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/decimal.h"
#include "logitchain/grammar/json_schema/shape.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

bool IsListed(const JsonValue& value, const Shape& shape) {
  return !shape.values.has_value() || absl::c_any_of(*shape.values, [&](const JsonValue* listed) {
    return SameValue(*listed, value);
  });
}

bool HasSameItems(const JsonValue& value) {
  for (size_t i = 0; i < value.elements.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (SameValue(value.elements[i], value.elements[j])) return true;
    }
  }
  return false;
}

}  // namespace

absl::StatusOr<bool> ValueChecker::Satisfies(const JsonValue& value, const Shape& shape) {
  switch (value.kind) {
    case JsonValue::Kind::kNull:
      return shape.Has(kNullType);
    case JsonValue::Kind::kBool:
      return shape.Has(value.boolean ? kTrueType : kFalseType);
    case JsonValue::Kind::kNumber:
      return shape.Has(kNumberType) && NumberSatisfies(value, shape);
    case JsonValue::Kind::kString:
      return shape.Has(kStringType) && finder_.MatchesString(shape.string, value.text);
    case JsonValue::Kind::kArray:
      if (!shape.Has(kArrayType) || !IsListed(value, shape)) return false;
      return ItemsSatisfy(value, shape);
    case JsonValue::Kind::kObject:
      if (!shape.Has(kObjectType) || !IsListed(value, shape)) return false;
      return MembersSatisfy(value, shape);
  }
  return false;
}

absl::StatusOr<bool> ValueChecker::Satisfies(const JsonValue& value, const SchemaSet& schemas) {
  const absl::StatusOr<ShapeList> shapes = finder_.ShapesOf(schemas);
  if (!shapes.ok()) return shapes.status();
  for (const Shape& shape : **shapes) {
    const absl::StatusOr<bool> satisfies = Satisfies(value, shape);
    if (!satisfies.ok() || *satisfies) return satisfies;
  }
  return false;
}

bool ValueChecker::NumberSatisfies(const JsonValue& value, const Shape& shape) {
  const std::optional<Decimal> decimal = ParseDecimal(value.text);
  if (!decimal.has_value()) return false;
  std::string text =
      absl::StrCat(decimal->negative ? "-" : "", decimal->whole.empty() ? "0" : decimal->whole);
  if (!decimal->fraction.empty()) absl::StrAppend(&text, ".", decimal->fraction);
  RegexId rest = shape.number;
  for (const char byte : text) {
    rest = context_.arena().Derivative(rest, static_cast<uint8_t>(byte));
  }
  return context_.arena().MatchesEmpty(rest);
}

absl::StatusOr<bool> ValueChecker::SomeSatisfies(const JsonValue& value,
                                                 absl::FunctionRef<bool(size_t)> may_be,
                                                 const SchemaSet& schemas) {
  for (size_t i = 0; i < value.elements.size(); ++i) {
    if (!may_be(i)) continue;
    const absl::StatusOr<bool> satisfies = Satisfies(value.elements[i], schemas);
    if (!satisfies.ok() || *satisfies) return satisfies;
  }
  return false;
}

absl::StatusOr<bool> ValueChecker::ItemsSatisfy(const JsonValue& value, const Shape& shape) {
  if (!shape.array_error.ok()) return shape.array_error;
  const auto count = static_cast<int64_t>(value.elements.size());
  if (count < shape.min_items || count > shape.max_items) return false;
  if (shape.unique_items != nullptr && HasSameItems(value)) return false;
  for (size_t i = 0; i < value.elements.size(); ++i) {
    const absl::StatusOr<bool> satisfies =
        Satisfies(value.elements[i], ShapeFinder::ItemSchemas(shape, i));
    if (!satisfies.ok() || !*satisfies) return satisfies;
  }
  for (const ItemWitness& witness : shape.some_items) {
    const auto may_be = [&](size_t i) { return i >= witness.first; };
    const absl::StatusOr<bool> found = SomeSatisfies(value, may_be, witness.schemas);
    if (!found.ok() || !*found) return found;
  }
  return true;
}

absl::StatusOr<bool> ValueChecker::MembersSatisfy(const JsonValue& value, const Shape& shape) {
  if (!shape.object_error.ok()) return shape.object_error;
  const auto count = static_cast<int64_t>(value.elements.size());
  if (count < shape.min_properties || count > shape.max_properties) return false;
  for (const std::string& name : shape.required) {
    if (value.Find(name) == nullptr) return false;
  }
  for (size_t i = 0; i < value.elements.size(); ++i) {
    if (!finder_.MatchesString(shape.names, value.keys[i])) return false;
    const absl::StatusOr<bool> satisfies =
        Satisfies(value.elements[i], finder_.MemberSchemas(shape, value.keys[i]));
    if (!satisfies.ok() || !*satisfies) return satisfies;
  }
  for (const MemberWitness& witness : shape.some_members) {
    const auto may_be = [&](size_t i) {
      return finder_.MatchesString(witness.names, value.keys[i]);
    };
    const absl::StatusOr<bool> found = SomeSatisfies(value, may_be, witness.schemas);
    if (!found.ok() || !*found) return found;
  }
  return true;
}

}  // namespace logitchain
