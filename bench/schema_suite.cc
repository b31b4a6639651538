#include "logitchain/bench/schema_suite.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "logitchain/core/files/read_text_file.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kMaxFileSize = int64_t{1} << 26;

// With ", " between elements and ": " behind names.
void AppendSpaced(const Json& value, std::string& text) {
  if (!value.is_structured()) {
    text += value.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
    return;
  }
  text += value.is_object() ? "{" : "[";
  bool is_first = true;
  for (const auto& [key, element] : value.items()) {
    if (!is_first) text += ", ";
    is_first = false;
    if (value.is_object()) {
      absl::StrAppend(&text, Json(key).dump(-1, ' ', false, Json::error_handler_t::replace), ": ");
    }
    AppendSpaced(element, text);
  }
  text += value.is_object() ? "}" : "]";
}

absl::StatusOr<SchemaCase> ReadCase(const std::filesystem::path& path) {
  const absl::StatusOr<std::string> content = ReadTextFile(path.string(), kMaxFileSize);
  if (!content.ok()) return content.status();
  const Json file = Json::parse(*content, nullptr, /*allow_exceptions=*/false);
  if (!file.is_object() || !file.contains("schema") || !file.contains("tests")) {
    return absl::InvalidArgumentError(
        absl::StrCat(path.string(), ": must be an object with a schema and tests"));
  }
  SchemaCase schema_case = {.name = path.filename().string(), .schema = file["schema"].dump()};
  for (const Json& test : file["tests"]) {
    SchemaCase::Document document = {.is_valid = test.value("valid", false)};
    AppendSpaced(test["data"], document.text);
    schema_case.documents.push_back(std::move(document));
  }
  return schema_case;
}

}  // namespace

absl::StatusOr<std::vector<SchemaCase>> ReadSchemaSuite(const std::string& folder, int every) {
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  }
  if (error) return absl::NotFoundError(absl::StrCat(folder, ": ", error.message()));
  std::sort(paths.begin(), paths.end());
  std::vector<SchemaCase> cases;
  for (size_t i = 0; i < paths.size(); i += every) {
    absl::StatusOr<SchemaCase> schema_case = ReadCase(paths[i]);
    if (!schema_case.ok()) return schema_case.status();
    cases.push_back(*std::move(schema_case));
  }
  return cases;
}

}  // namespace logitchain
