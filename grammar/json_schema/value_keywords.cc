#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/decimal.h"
#include "logitchain/grammar/json_schema/keyword.h"
#include "logitchain/grammar/json_schema/keyword_values.h"
#include "logitchain/grammar/json_schema/number_texts.h"
#include "logitchain/grammar/json_schema/schema_context.h"
#include "logitchain/grammar/json_schema/shape.h"
#include "logitchain/grammar/json_schema/string_texts.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

struct TypeName {
  absl::string_view name;
  TypeSet types;
};

constexpr TypeName kTypeNames[] = {{"null", kNullType},     {"boolean", kBoolTypes},
                                   {"number", kNumberType}, {"string", kStringType},
                                   {"array", kArrayType},   {"object", kObjectType}};

// Types that `type` names; "integer" apart.
struct NamedTypes {
  TypeSet types = 0;
  bool integer = false;
};

absl::Status AddType(const SchemaContext& context, const JsonValue& name, NamedTypes& named) {
  if (absl::Status status = CheckKind(context, name, JsonValue::Kind::kString); !status.ok()) {
    return status;
  }
  if (name.text == "integer") {
    named.integer = true;
    return absl::OkStatus();
  }
  for (const TypeName& type : kTypeNames) {
    if (type.name != name.text) continue;
    named.types |= type.types;
    return absl::OkStatus();
  }
  return context.Malformed(
      name, absl::StrCat("is \"", absl::Utf8SafeCEscape(name.text),
                         "\"; it must be null, boolean, integer, number, string, array or object"));
}

absl::Status ReadType(const KeywordUse& use) {
  NamedTypes named;
  const absl::Span<const JsonValue> names = use.value.is_array()
                                                ? absl::MakeConstSpan(use.value.elements)
                                                : absl::MakeConstSpan(&use.value, 1);
  for (const JsonValue& name : names) {
    if (absl::Status status = AddType(use.context, name, named); !status.ok()) return status;
  }
  RegexArena& arena = use.context.arena();
  NumberTexts& numbers = use.context.numbers();
  const bool only_integers = named.integer && (named.types & kNumberType) == 0;
  if (use.negated) {
    Shape others;
    others.types &= ~named.types;
    if (only_integers) others.number = arena.Both(numbers.Plain(), arena.Not(numbers.Integers()));
    use.Violate(std::move(others));
  } else {
    Shape shape = {.types = named.types};
    if (named.integer) shape.types |= kNumberType;
    if (only_integers) shape.number = numbers.Integers();
    use.Require(shape);
  }
  return absl::OkStatus();
}

// Values that are listed, by type.
struct ListedValues {
  TypeSet types = 0;
  std::vector<RegexId> numbers;
  std::vector<std::string> string_texts;
  std::vector<const JsonValue*> composites;  // Arrays and objects.
};

absl::Status ListNumber(const KeywordUse& use, const JsonValue& value, ListedValues& listed) {
  const absl::StatusOr<Decimal> decimal = ReadDecimal(use.context, value);
  if (!decimal.ok()) return decimal.status();
  listed.types |= kNumberType;
  listed.numbers.push_back(use.context.numbers().Exactly(*decimal));
  return absl::OkStatus();
}

absl::Status ListValue(const KeywordUse& use, const JsonValue& value, ListedValues& listed) {
  switch (value.kind) {
    case JsonValue::Kind::kNull:
      listed.types |= kNullType;
      break;
    case JsonValue::Kind::kBool:
      listed.types |= value.boolean ? kTrueType : kFalseType;
      break;
    case JsonValue::Kind::kNumber:
      return ListNumber(use, value, listed);
    case JsonValue::Kind::kString:
      listed.types |= kStringType;
      listed.string_texts.push_back(value.text);
      break;
    case JsonValue::Kind::kArray:
      listed.types |= kArrayType;
      listed.composites.push_back(&value);
      break;
    case JsonValue::Kind::kObject:
      listed.types |= kObjectType;
      listed.composites.push_back(&value);
      break;
  }
  return absl::OkStatus();
}

void RequireListed(const KeywordUse& use, ListedValues listed) {
  Shape shape = {.types = listed.types};
  shape.number = use.context.arena().Either(listed.numbers);
  shape.string = StringsOf(listed.string_texts, use.context.canonical());
  shape.values = std::move(listed.composites);
  use.Require(shape);
}

// What is not among them. Of arrays and objects only the empty ones can be left out.
absl::Status ViolateListed(const KeywordUse& use, const ListedValues& listed) {
  RegexArena& arena = use.context.arena();
  constexpr TypeSet kOfOneValue = kNullType | kBoolTypes;
  Shape scalars;
  scalars.types &= ~(kArrayType | kObjectType | (listed.types & kOfOneValue));
  if (!listed.numbers.empty()) {
    scalars.number =
        arena.Both(use.context.numbers().Plain(), arena.Not(arena.Either(listed.numbers)));
  }
  const RegexId strings = StringsOf(listed.string_texts, use.context.coding());
  scalars.string = use.context.OtherTexts(strings);
  use.Violate(std::move(scalars));
  for (const TypeSet type : {kArrayType, kObjectType}) {
    Shape shape = {.types = type};
    const JsonValue* unsupported = nullptr;
    for (const JsonValue* value : listed.composites) {
      if (value->is_array() != (type == kArrayType)) continue;
      if (!value->elements.empty()) {
        unsupported = value;
      } else {
        (type == kArrayType ? shape.min_items : shape.min_properties) = 1;
      }
    }
    if (unsupported == nullptr) {
      use.Violate(std::move(shape));
    } else if (absl::Status status = use.NegationUnsupported(*unsupported, type); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

absl::Status ReadListed(const KeywordUse& use, absl::Span<const JsonValue> values) {
  ListedValues listed;
  for (const JsonValue& value : values) {
    if (absl::Status status = ListValue(use, value, listed); !status.ok()) return status;
  }
  if (use.negated) return ViolateListed(use, listed);
  RequireListed(use, std::move(listed));
  return absl::OkStatus();
}

absl::Status ReadEnum(const KeywordUse& use) {
  if (absl::Status status = CheckKind(use.context, use.value, JsonValue::Kind::kArray);
      !status.ok()) {
    return status;
  }
  return ReadListed(use, use.value.elements);
}

absl::Status ReadConst(const KeywordUse& use) {
  return ReadListed(use, absl::MakeConstSpan(&use.value, 1));
}

constexpr Keyword kKeywords[] = {{"type", ReadType}, {"enum", ReadEnum}, {"const", ReadConst}};

}  // namespace

absl::Span<const Keyword> ValueKeywords() { return kKeywords; }

}  // namespace logitchain
