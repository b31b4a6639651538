#include "logitchain/cli/import/structured_output.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/source_value.h"

namespace logitchain {
namespace {

constexpr absl::string_view kResponseFormat = "response_format";

// Null if it is not there.
const SourceValue* Find(const SourceValue* value, absl::string_view key) {
  if (value == nullptr) return nullptr;
  for (size_t i = 0; i < value->keys.size(); ++i) {
    if (value->keys[i] == key) return &value->elements[i];
  }
  return nullptr;
}

SourceParameter Part(const SourceParameter& whole, absl::string_view key, absl::string_view path,
                     SourceValue value) {
  return {.key = absl::StrCat(whole.key, ".", key),
          .name = absl::StrCat(whole.name, path),
          .value = std::move(value),
          .location = whole.location};
}

std::vector<SourceParameter> PartsOfResponseFormat(const SourceParameter& format) {
  const SourceValue* type = Find(&format.value, "type");
  if (type == nullptr) return {format};
  if (type->text != "json_object" && type->text != "json_schema") return {format};
  const SourceValue* wrapped = Find(Find(&format.value, "json_schema"), "schema");
  if (wrapped != nullptr) return {Part(format, "schema", "/json_schema/schema", *wrapped)};
  const SourceValue* schema = Find(&format.value, "schema");
  if (schema != nullptr) return {Part(format, "schema", "/schema", *schema)};
  if (type->text == "json_schema") return {format};
  return {Part(format, "json_object", "/type", {.kind = SourceValue::Kind::kBool, .text = "true"})};
}

}  // namespace

std::vector<SourceParameter> PartsOfStructuredOutput(SourceParameter parameter,
                                                     const ImportTable& table) {
  const bool knows_parts = absl::c_any_of(table.parameters, [&](const ParameterRow& row) {
    return row.key == absl::StrCat(parameter.key, ".json") ||
           row.key == absl::StrCat(parameter.key, ".schema");
  });
  const bool has_parts = !parameter.value.keys.empty();
  if (!knows_parts || !has_parts) return {std::move(parameter)};
  if (parameter.key == kResponseFormat) return PartsOfResponseFormat(parameter);
  std::vector<SourceParameter> parts;
  for (size_t i = 0; i < parameter.value.keys.size(); ++i) {
    const std::string& key = parameter.value.keys[i];
    parts.push_back(Part(parameter, key, absl::StrCat("/", key), parameter.value.elements[i]));
  }
  return parts;
}

}  // namespace logitchain
