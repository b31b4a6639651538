#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/keyword.h"
#include "logitchain/grammar/json_schema/keyword_values.h"
#include "logitchain/grammar/json_schema/schema_constraint.h"
#include "logitchain/grammar/json_schema/shape.h"

namespace logitchain {
namespace {

constexpr size_t kMaxOneOf = 200;

Branch OnlySchemas(SchemaSet schemas) { return {.schemas = std::move(schemas)}; }

absl::Status ReadAllOf(const KeywordUse& use) {
  if (absl::Status status = CheckSchemaList(use.context, use.value); !status.ok()) return status;
  for (const JsonValue& schema : use.value.elements) {
    if (use.negated) {
      use.violations.push_back(OnlySchemas(use.Set(schema, /*is_negated=*/true)));
    } else {
      use.RequireAll(use.Set(schema));
    }
  }
  return absl::OkStatus();
}

// All of the schemas in a list, negated.
SchemaSet NoneOf(const KeywordUse& use) {
  SchemaSet none;
  for (const JsonValue& schema : use.value.elements) {
    none = Union(none, use.Set(schema, /*is_negated=*/true));
  }
  return none;
}

absl::Status ReadAnyOf(const KeywordUse& use) {
  if (absl::Status status = CheckSchemaList(use.context, use.value); !status.ok()) return status;
  if (use.negated) {
    use.violations.push_back(OnlySchemas(NoneOf(use)));
    return absl::OkStatus();
  }
  std::vector<Branch>& branches = use.constraint.choices.emplace_back();
  for (const JsonValue& schema : use.value.elements) {
    branches.push_back(OnlySchemas(use.Set(schema)));
  }
  return absl::OkStatus();
}

// Each schema without those that it overlaps with. With disjoint ones it is the same as anyOf.
absl::Status RequireOneOf(const KeywordUse& use) {
  const std::vector<JsonValue>& schemas = use.value.elements;
  std::vector<SchemaSet> sets;
  for (const JsonValue& schema : schemas) sets.push_back(use.Set(schema));
  const std::vector<SchemaSet> alone = sets;
  for (size_t i = 0; i < schemas.size(); ++i) {
    for (size_t j = i + 1; j < schemas.size(); ++j) {
      const absl::StatusOr<bool> disjoint = use.shapes.AreDisjoint(alone[i], alone[j]);
      if (!disjoint.ok()) return disjoint.status();
      if (*disjoint) continue;
      sets[i] = Union(sets[i], use.Set(schemas[j], /*is_negated=*/true));
      sets[j] = Union(sets[j], use.Set(schemas[i], /*is_negated=*/true));
    }
  }
  std::vector<Branch>& branches = use.constraint.choices.emplace_back();
  for (SchemaSet& set : sets) branches.push_back(OnlySchemas(std::move(set)));
  return absl::OkStatus();
}

// None of the schemas, or two of them.
void ViolateOneOf(const KeywordUse& use) {
  use.violations.push_back(OnlySchemas(NoneOf(use)));
  const std::vector<JsonValue>& schemas = use.value.elements;
  for (size_t i = 0; i < schemas.size(); ++i) {
    for (size_t j = i + 1; j < schemas.size(); ++j) {
      use.violations.push_back(OnlySchemas(Union(use.Set(schemas[i]), use.Set(schemas[j]))));
    }
  }
}

absl::Status ReadOneOf(const KeywordUse& use) {
  if (absl::Status status = CheckSchemaList(use.context, use.value); !status.ok()) return status;
  if (use.value.elements.size() > kMaxOneOf) {
    return use.context.Unsupported(
        use.value, absl::StrCat("has ", use.value.elements.size(), " schemas; at most ", kMaxOneOf,
                                " are supported"));
  }
  if (!use.negated) return RequireOneOf(use);
  ViolateOneOf(use);
  return absl::OkStatus();
}

absl::Status ReadNot(const KeywordUse& use) {
  if (absl::Status status = CheckIsSchema(use.context, use.value); !status.ok()) return status;
  if (use.negated) {
    use.violations.push_back(OnlySchemas(use.Set(use.value)));
  } else {
    use.RequireAll(use.Set(use.value, /*is_negated=*/true));
  }
  return absl::OkStatus();
}

// (if and then) or (not if and else).
absl::Status ReadIf(const KeywordUse& use) {
  if (absl::Status status = CheckIsSchema(use.context, use.value); !status.ok()) return status;
  std::vector<Branch> branches;
  for (const bool holds : {true, false}) {
    const JsonValue* consequence = use.schema.Find(holds ? "then" : "else");
    SchemaSet set = use.Set(use.value, /*is_negated=*/!holds);
    if (consequence != nullptr) {
      if (absl::Status status = CheckIsSchema(use.context, *consequence); !status.ok()) {
        return status;
      }
      set = Union(set, use.Set(*consequence, use.negated));
    } else if (use.negated) {
      continue;
    }
    branches.push_back(OnlySchemas(std::move(set)));
  }
  const bool has_consequence =
      use.schema.Find("then") != nullptr || use.schema.Find("else") != nullptr;
  if (use.negated) {
    use.violations.insert(use.violations.end(), branches.begin(), branches.end());
  } else if (has_consequence) {
    use.constraint.choices.push_back(std::move(branches));
  }
  return absl::OkStatus();
}

absl::Status ReadRef(const KeywordUse& use) {
  if (absl::Status status = CheckKind(use.context, use.value, JsonValue::Kind::kString);
      !status.ok()) {
    return status;
  }
  const JsonValue* target = use.context.document().Resolve(use.schema, use.value.text);
  if (target == nullptr) {
    return use.context.Malformed(use.value,
                                 absl::StrCat("is \"", absl::Utf8SafeCEscape(use.value.text),
                                              "\", which names nothing in this document"));
  }
  if (absl::Status status = CheckIsSchema(use.context, *target); !status.ok()) return status;
  if (use.negated) {
    use.violations.push_back(OnlySchemas(use.Set(*target, /*is_negated=*/true)));
  } else {
    use.RequireAll(use.Set(*target));
  }
  return absl::OkStatus();
}

absl::Status RefuseReference(const KeywordUse& use) {
  return use.context.Unsupported(use.value, "is not supported");
}

constexpr Keyword kKeywords[] = {{"allOf", ReadAllOf},
                                 {"anyOf", ReadAnyOf},
                                 {"oneOf", ReadOneOf},
                                 {"not", ReadNot},
                                 {"if", ReadIf},
                                 {"$ref", ReadRef},
                                 {"$dynamicRef", RefuseReference},
                                 {"$recursiveRef", RefuseReference}};

}  // namespace

absl::Span<const Keyword> LogicKeywords() { return kKeywords; }

}  // namespace logitchain
