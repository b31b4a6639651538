#include "logitchain/grammar/json_schema/schema_reader.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/keyword.h"
#include "logitchain/grammar/json_schema/schema_constraint.h"
#include "logitchain/grammar/json_schema/schema_context.h"
#include "logitchain/grammar/json_schema/shape.h"

namespace logitchain {
namespace {

using ReaderMap = absl::flat_hash_map<absl::string_view, KeywordReader>;

const ReaderMap& Readers() {
  static const ReaderMap* const readers = [] {
    auto* map = new ReaderMap();
    for (const auto& keywords : {ValueKeywords(), NumberKeywords(), StringKeywords(),
                                 ArrayKeywords(), ObjectKeywords(), LogicKeywords()}) {
      for (const Keyword& keyword : keywords) map->emplace(keyword.name, keyword.read);
    }
    return map;
  }();
  return *readers;
}

}  // namespace

bool IsKeyword(absl::string_view key) { return Readers().contains(key); }

std::vector<std::string> KeywordNames() {
  std::vector<std::string> names;
  for (const auto& [name, reader] : Readers()) names.emplace_back(name);
  return names;
}

absl::StatusOr<SchemaConstraint> ReadSchema(const SchemaRef& ref, SchemaContext& context,
                                            ShapeSource& shapes) {
  const JsonValue& schema = context.Schema(ref);
  SchemaConstraint constraint;
  if (schema.is_bool()) {
    if (schema.boolean == ref.negated) constraint.shape.types = 0;
    return constraint;
  }
  const bool is_only_ref = context.document().ref_stands_alone() && schema.Find("$ref") != nullptr;
  std::vector<Branch> violations;
  for (size_t i = 0; i < schema.keys.size(); ++i) {
    const auto reader = Readers().find(schema.keys[i]);
    if (reader == Readers().end()) continue;
    if (is_only_ref && schema.keys[i] != "$ref") {
      context.NoteIgnored(schema.elements[i], "says nothing beside a $ref, up to draft 7");
      continue;
    }
    const KeywordUse use = {.context = context,
                            .shapes = shapes,
                            .schema = schema,
                            .value = schema.elements[i],
                            .negated = ref.negated,
                            .constraint = constraint,
                            .violations = violations};
    if (absl::Status status = reader->second(use); !status.ok()) return status;
  }
  if (ref.negated) constraint.choices.push_back(std::move(violations));
  return constraint;
}

}  // namespace logitchain
