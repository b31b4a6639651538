#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/keyword.h"
#include "logitchain/grammar/json_schema/keyword_values.h"
#include "logitchain/grammar/json_schema/schema_context.h"
#include "logitchain/grammar/json_schema/shape.h"

namespace logitchain {
namespace {

bool IsTrivial(const JsonValue& schema) { return schema.is_bool() && schema.boolean; }

// The schemas of the first items, and that of the others or null. Up to draft 2019-09 they were
// called items, if that was a list, and additionalItems.
struct ItemSchemas {
  absl::Span<const JsonValue> prefix;
  const JsonValue* rest = nullptr;
};

absl::StatusOr<ItemSchemas> FindItemSchemas(const KeywordUse& use) {
  const JsonValue* prefix = use.schema.Find("prefixItems");
  const JsonValue* rest = use.schema.Find("items");
  if (prefix == nullptr && rest != nullptr && rest->is_array()) {
    prefix = rest;
    rest = use.schema.Find("additionalItems");
  }
  ItemSchemas schemas = {.rest = rest};
  // An empty list says nothing.
  if (prefix != nullptr && !(prefix->is_array() && prefix->elements.empty())) {
    if (absl::Status status = CheckSchemaList(use.context, *prefix); !status.ok()) return status;
    schemas.prefix = prefix->elements;
  }
  if (rest != nullptr) {
    if (absl::Status status = CheckIsSchema(use.context, *rest); !status.ok()) return status;
  }
  return schemas;
}

void ViolateItems(const KeywordUse& use, const ItemSchemas& schemas) {
  for (size_t i = 0; i < schemas.prefix.size(); ++i) {
    Shape shape = {.types = kArrayType};
    shape.min_items = static_cast<int32_t>(i) + 1;
    std::vector<SchemaSet> prefix(i + 1);
    prefix[i] = use.Set(schemas.prefix[i], /*is_negated=*/true);
    shape.AddArrayPart({.prefix = std::move(prefix)});
    use.Violate(std::move(shape));
  }
  if (schemas.rest == nullptr || IsTrivial(*schemas.rest)) return;
  Shape shape = {.types = kArrayType};
  shape.some_items.push_back({.first = schemas.prefix.size(),
                              .schemas = use.Set(*schemas.rest, /*is_negated=*/true),
                              .keyword = schemas.rest});
  use.Violate(std::move(shape));
}

// All of prefixItems, items and additionalItems.
absl::Status ReadItems(const KeywordUse& use) {
  // Once, if there are both.
  const JsonValue* prefix = use.schema.Find("prefixItems");
  if (prefix != nullptr && prefix != &use.value) return absl::OkStatus();
  const absl::StatusOr<ItemSchemas> schemas = FindItemSchemas(use);
  if (!schemas.ok()) return schemas.status();
  if (use.negated) {
    ViolateItems(use, *schemas);
    return absl::OkStatus();
  }
  ArrayPart part;
  for (const JsonValue& schema : schemas->prefix) part.prefix.push_back(use.Set(schema));
  if (schemas->rest != nullptr) part.rest = use.Set(*schemas->rest);
  Shape shape;
  shape.AddArrayPart(std::move(part));
  use.Require(shape);
  return absl::OkStatus();
}

absl::Status ReadMinItems(const KeywordUse& use) {
  const absl::StatusOr<int32_t> count = ReadCount(use.context, use.value);
  if (!count.ok()) return count.status();
  Shape shape = {.types = use.negated ? kArrayType : kAllTypes};
  if (!use.negated) {
    shape.min_items = *count;
    use.Require(shape);
  } else if (*count > 0) {
    shape.max_items = *count - 1;
    use.Violate(std::move(shape));
  }
  return absl::OkStatus();
}

absl::Status ReadMaxItems(const KeywordUse& use) {
  const absl::StatusOr<int32_t> count = ReadCount(use.context, use.value);
  if (!count.ok()) return count.status();
  Shape shape = {.types = use.negated ? kArrayType : kAllTypes};
  if (use.negated) {
    shape.min_items = *count + 1;
    use.Violate(std::move(shape));
  } else {
    shape.max_items = *count;
    use.Require(shape);
  }
  return absl::OkStatus();
}

// A keyword about arrays that no grammar of reasonable size can honour.
absl::Status RefuseForArrays(const KeywordUse& use, const JsonValue& keyword) {
  if (use.negated) return use.NegationUnsupported(keyword, kArrayType);
  Shape shape;
  shape.array_error = use.context.Unsupported(keyword, "is not supported");
  use.Require(shape);
  return absl::OkStatus();
}

absl::Status ReadContains(const KeywordUse& use) {
  if (absl::Status status = CheckIsSchema(use.context, use.value); !status.ok()) return status;
  const JsonValue* min = use.schema.Find("minContains");
  const JsonValue* max = use.schema.Find("maxContains");
  if (max != nullptr) {
    if (absl::Status status = RefuseForArrays(use, *max); !status.ok()) return status;
  }
  if (min != nullptr) {
    const absl::StatusOr<int32_t> count = ReadCount(use.context, *min);
    if (!count.ok()) return count.status();
    if (*count == 0) return absl::OkStatus();
    if (*count > 1) {
      if (absl::Status status = RefuseForArrays(use, *min); !status.ok()) return status;
    }
  }
  Shape shape = {.types = use.negated ? kArrayType : kAllTypes};
  if (use.negated) {
    shape.AddArrayPart({.rest = use.Set(use.value, /*is_negated=*/true)});
    use.Violate(std::move(shape));
  } else {
    shape.some_items.push_back({.first = 0, .schemas = use.Set(use.value), .keyword = &use.value});
    use.Require(shape);
  }
  return absl::OkStatus();
}

absl::Status ReadUniqueItems(const KeywordUse& use) {
  if (absl::Status status = CheckKind(use.context, use.value, JsonValue::Kind::kBool);
      !status.ok()) {
    return status;
  }
  if (!use.value.boolean) return absl::OkStatus();
  if (use.negated) return use.NegationUnsupported(use.value, kArrayType);
  Shape shape;
  shape.unique_items = &use.value;
  use.Require(shape);
  return absl::OkStatus();
}

absl::Status ReadUnevaluatedItems(const KeywordUse& use) {
  if (absl::Status status = CheckIsSchema(use.context, use.value); !status.ok()) return status;
  return IsTrivial(use.value) ? absl::OkStatus() : RefuseForArrays(use, use.value);
}

constexpr Keyword kKeywords[] = {{"prefixItems", ReadItems},
                                 {"items", ReadItems},
                                 {"minItems", ReadMinItems},
                                 {"maxItems", ReadMaxItems},
                                 {"uniqueItems", ReadUniqueItems},
                                 {"contains", ReadContains},
                                 {"unevaluatedItems", ReadUnevaluatedItems}};

}  // namespace

absl::Span<const Keyword> ArrayKeywords() { return kKeywords; }

}  // namespace logitchain
