#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/keyword.h"
#include "logitchain/grammar/json_schema/keyword_values.h"
#include "logitchain/grammar/json_schema/schema_context.h"
#include "logitchain/grammar/json_schema/shape.h"
#include "logitchain/grammar/json_schema/string_texts.h"
#include "logitchain/grammar/regex/regex_arena.h"
#include "logitchain/grammar/syntax/regex_syntax.h"

namespace logitchain {
namespace {

bool IsTrivial(const JsonValue& schema) { return schema.is_bool() && schema.boolean; }

// Objects that have, or have not, a member of this name; and everything that is no object, where
// `types` has it.
Shape WithMember(const std::string& name) {
  Shape shape = {.types = kObjectType};
  shape.required.push_back(name);
  return shape;
}

Shape WithoutMember(SchemaContext& context, TypeSet types, const std::string& name) {
  Shape shape = {.types = types};
  shape.AddObjectPart({.properties = {{name, {context.False()}}}});
  return shape;
}

absl::Status AddProperties(const KeywordUse& use, const JsonValue* properties, ObjectPart& part) {
  if (properties == nullptr) return absl::OkStatus();
  if (absl::Status status = CheckSchemaMap(use.context, *properties); !status.ok()) return status;
  for (size_t i = 0; i < properties->keys.size(); ++i) {
    part.properties.push_back({properties->keys[i], use.Set(properties->elements[i])});
  }
  return absl::OkStatus();
}

absl::Status AddPatterns(const KeywordUse& use, const JsonValue* patterns, ObjectPart& part) {
  if (patterns == nullptr) return absl::OkStatus();
  if (absl::Status status = CheckSchemaMap(use.context, *patterns); !status.ok()) return status;
  for (size_t i = 0; i < patterns->keys.size(); ++i) {
    const absl::StatusOr<RegexId> names =
        CompileRegex(patterns->keys[i], RegexExtent::kPartOfText, use.context.coding());
    if (names.ok()) {
      part.patterns.push_back({*names, use.Set(patterns->elements[i])});
      continue;
    }
    if (absl::Status status = use.context.Unsupported(
            patterns->elements[i],
            absl::StrCat("has a name that is no pattern, at ", names.status().message()));
        !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

// What is said of members that neither properties nor patternProperties name. Where nothing else
// could evaluate a member, unevaluatedProperties is the same.
const JsonValue* FindAdditional(const JsonValue& schema) {
  if (const JsonValue* additional = schema.Find("additionalProperties")) return additional;
  for (const absl::string_view keyword :
       {"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas"}) {
    if (schema.Find(keyword) != nullptr) return nullptr;
  }
  return schema.Find("unevaluatedProperties");
}

void ViolateBySomeMember(const KeywordUse& use, RegexId names, const JsonValue& schema) {
  if (IsTrivial(schema)) return;
  Shape shape = {.types = kObjectType};
  shape.some_members.push_back(
      {.names = names, .schemas = use.Set(schema, /*is_negated=*/true), .keyword = &schema});
  use.Violate(std::move(shape));
}

// Names that neither properties nor patternProperties have.
RegexId AdditionalNames(const KeywordUse& use, const ObjectPart& part) {
  std::vector<std::string> properties;
  for (const auto& [name, schemas] : part.properties) properties.push_back(name);
  std::vector<RegexId> named = {StringsOf(properties, use.context.coding())};
  for (const auto& [names, schemas] : part.patterns) named.push_back(names);
  return use.context.OtherTexts(use.context.arena().Either(named));
}

void ViolateMembers(const KeywordUse& use, const ObjectPart& part, const JsonValue* additional) {
  for (const auto& [name, schemas] : part.properties) {
    Shape shape = WithMember(name);
    SchemaRef violated = schemas[0];
    violated.negated = true;
    shape.AddObjectPart({.properties = {{name, {violated}}}});
    use.Violate(std::move(shape));
  }
  for (const auto& [names, schemas] : part.patterns) {
    ViolateBySomeMember(use, names, use.context.Schema(schemas[0]));
  }
  if (additional != nullptr) ViolateBySomeMember(use, AdditionalNames(use, part), *additional);
}

// All of properties, patternProperties and additionalProperties.
absl::Status ReadMembers(const KeywordUse& use) {
  const JsonValue* properties = use.schema.Find("properties");
  const JsonValue* patterns = use.schema.Find("patternProperties");
  const JsonValue* additional = FindAdditional(use.schema);
  // Once, at the first of them.
  const JsonValue* first = properties != nullptr ? properties
                           : patterns != nullptr ? patterns
                                                 : additional;
  if (first != &use.value) return absl::OkStatus();
  ObjectPart part;
  if (absl::Status status = AddProperties(use, properties, part); !status.ok()) return status;
  if (absl::Status status = AddPatterns(use, patterns, part); !status.ok()) return status;
  if (additional != nullptr) {
    if (absl::Status status = CheckIsSchema(use.context, *additional); !status.ok()) return status;
    part.additional = use.Set(*additional);
  }
  if (use.negated) {
    ViolateMembers(use, part, additional);
    return absl::OkStatus();
  }
  Shape shape;
  shape.AddObjectPart(std::move(part));
  use.Require(shape);
  return absl::OkStatus();
}

absl::Status ReadUnevaluatedProperties(const KeywordUse& use) {
  if (absl::Status status = CheckIsSchema(use.context, use.value); !status.ok()) return status;
  if (FindAdditional(use.schema) == &use.value) return ReadMembers(use);
  // With additionalProperties beside it nothing is left unevaluated.
  if (IsTrivial(use.value) || use.schema.Find("additionalProperties") != nullptr) {
    return absl::OkStatus();
  }
  if (use.negated) return use.NegationUnsupported(use.value, kObjectType);
  Shape shape;
  shape.object_error = use.context.Unsupported(
      use.value, "is not supported beside schemas that are applied in place");
  use.Require(shape);
  return absl::OkStatus();
}

absl::Status ReadRequired(const KeywordUse& use) {
  // Up to draft 3, a property was required by a boolean in its own schema.
  if (absl::Status status = CheckStringList(use.context, use.value); !status.ok()) return status;
  Shape all;
  for (const JsonValue& name : use.value.elements) {
    if (use.negated) use.Violate(WithoutMember(use.context, kObjectType, name.text));
    all.required.push_back(name.text);
  }
  if (!use.negated) use.Require(all);
  return absl::OkStatus();
}

absl::Status ReadMinProperties(const KeywordUse& use) {
  const absl::StatusOr<int32_t> count = ReadCount(use.context, use.value);
  if (!count.ok()) return count.status();
  Shape shape = {.types = use.negated ? kObjectType : kAllTypes};
  if (!use.negated) {
    shape.min_properties = *count;
    use.Require(shape);
  } else if (*count > 0) {
    shape.max_properties = *count - 1;
    use.Violate(std::move(shape));
  }
  return absl::OkStatus();
}

absl::Status ReadMaxProperties(const KeywordUse& use) {
  const absl::StatusOr<int32_t> count = ReadCount(use.context, use.value);
  if (!count.ok()) return count.status();
  Shape shape = {.types = use.negated ? kObjectType : kAllTypes};
  if (use.negated) {
    shape.min_properties = *count + 1;
    use.Violate(std::move(shape));
  } else {
    shape.max_properties = *count;
    use.Require(shape);
  }
  return absl::OkStatus();
}

absl::Status ReadPropertyNames(const KeywordUse& use) {
  if (absl::Status status = CheckIsSchema(use.context, use.value); !status.ok()) return status;
  const absl::StatusOr<ShapeList> shapes = use.shapes.ShapesOf(use.Set(use.value));
  if (!shapes.ok()) return shapes.status();
  std::vector<RegexId> names;
  for (const Shape& shape : **shapes) {
    if (shape.Has(kStringType)) names.push_back(shape.string);
  }
  const RegexId satisfying = use.context.arena().Either(names);
  Shape shape = {.types = use.negated ? kObjectType : kAllTypes};
  if (use.negated) {
    shape.some_members.push_back(
        {.names = use.context.OtherTexts(satisfying), .schemas = {}, .keyword = &use.value});
    use.Violate(std::move(shape));
  } else {
    shape.names = satisfying;
    use.Require(shape);
  }
  return absl::OkStatus();
}

// Where there is a member `name`, all of `required` must be there as well.
void DependOnNames(const KeywordUse& use, const std::string& name,
                   absl::Span<const JsonValue> required) {
  if (use.negated) {
    for (const JsonValue& other : required) {
      Shape shape = WithMember(name);
      shape.objects = WithoutMember(use.context, kObjectType, other.text).objects;
      use.Violate(std::move(shape));
    }
    return;
  }
  Shape all = WithMember(name);
  for (const JsonValue& other : required) all.required.push_back(other.text);
  use.constraint.choices.push_back({{WithoutMember(use.context, kAllTypes, name), {}}, {all, {}}});
}

// Where there is a member `name`, the object must satisfy `schema`.
void DependOnSchema(const KeywordUse& use, const std::string& name, const JsonValue& schema) {
  Branch with_member = {WithMember(name), use.Set(schema, use.negated)};
  if (use.negated) {
    use.violations.push_back(std::move(with_member));
  } else {
    use.constraint.choices.push_back(
        {{WithoutMember(use.context, kAllTypes, name), {}}, std::move(with_member)});
  }
}

using DependencyReader = absl::Status (*)(const KeywordUse&, const std::string& name,
                                          const JsonValue&);

absl::Status ReadDependentNames(const KeywordUse& use, const std::string& name,
                                const JsonValue& names) {
  absl::Status status = CheckStringList(use.context, names);
  if (status.ok()) DependOnNames(use, name, names.elements);
  return status;
}

absl::Status ReadDependentSchema(const KeywordUse& use, const std::string& name,
                                 const JsonValue& schema) {
  absl::Status status = CheckIsSchema(use.context, schema);
  if (status.ok()) DependOnSchema(use, name, schema);
  return status;
}

// Up to draft 7, one keyword was both.
absl::Status ReadDependentNamesOrSchema(const KeywordUse& use, const std::string& name,
                                        const JsonValue& value) {
  if (value.is_array()) return ReadDependentNames(use, name, value);
  if (value.is_object() || value.is_bool()) return ReadDependentSchema(use, name, value);
  return use.context.Malformed(
      value, absl::StrCat("is ", KindName(value.kind),
                          "; it must be an array of names, or a schema: an object or a boolean"));
}

template <DependencyReader kRead>
absl::Status ReadDependencies(const KeywordUse& use) {
  absl::Status status = CheckKind(use.context, use.value, JsonValue::Kind::kObject);
  for (size_t i = 0; status.ok() && i < use.value.keys.size(); ++i) {
    status = kRead(use, use.value.keys[i], use.value.elements[i]);
  }
  return status;
}

constexpr Keyword kKeywords[] = {{"properties", ReadMembers},
                                 {"patternProperties", ReadMembers},
                                 {"additionalProperties", ReadMembers},
                                 {"unevaluatedProperties", ReadUnevaluatedProperties},
                                 {"required", ReadRequired},
                                 {"minProperties", ReadMinProperties},
                                 {"maxProperties", ReadMaxProperties},
                                 {"propertyNames", ReadPropertyNames},
                                 {"dependentRequired", ReadDependencies<ReadDependentNames>},
                                 {"dependentSchemas", ReadDependencies<ReadDependentSchema>},
                                 {"dependencies", ReadDependencies<ReadDependentNamesOrSchema>}};

}  // namespace

absl::Span<const Keyword> ObjectKeywords() { return kKeywords; }

}  // namespace logitchain
