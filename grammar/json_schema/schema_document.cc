#include "logitchain/grammar/json_schema/schema_document.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/json/json_value.h"

namespace logitchain {
namespace {

// Keywords whose value is a schema or a list of schemas.
constexpr absl::string_view kSchemaKeywords[] = {"additionalItems",
                                                 "additionalProperties",
                                                 "allOf",
                                                 "anyOf",
                                                 "contains",
                                                 "contentSchema",
                                                 "else",
                                                 "if",
                                                 "items",
                                                 "not",
                                                 "oneOf",
                                                 "prefixItems",
                                                 "propertyNames",
                                                 "then",
                                                 "unevaluatedItems",
                                                 "unevaluatedProperties"};

// Keywords whose value is an object of schemas.
constexpr absl::string_view kSchemaMapKeywords[] = {
    "$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"};

bool HasScheme(absl::string_view uri) {
  const size_t colon = uri.find_first_of(":/?#");
  return colon != uri.npos && colon > 0 && uri[colon] == ':' && absl::ascii_isalpha(uri[0]);
}

absl::string_view WithoutFragment(absl::string_view uri) { return uri.substr(0, uri.find('#')); }

// RFC 3986, section 5.2, without the removal of dots, which identifiers have no use for.
std::string ResolveUri(absl::string_view base, absl::string_view reference) {
  base = WithoutFragment(base);
  if (HasScheme(reference)) return std::string(reference);
  if (reference.empty() || reference[0] == '#') return absl::StrCat(base, reference);
  const size_t authority = base.find("//");
  size_t path = authority == base.npos ? base.find(':') + 1 : base.find('/', authority + 2);
  path = std::min(path, base.size());
  if (absl::StartsWith(reference, "//")) return absl::StrCat(base.substr(0, authority), reference);
  if (reference[0] == '/') return absl::StrCat(base.substr(0, path), reference);
  const size_t last = base.rfind('/');
  if (last == base.npos || last < path) return absl::StrCat(base.substr(0, path), reference);
  return absl::StrCat(base.substr(0, last + 1), reference);
}

// %XX in a fragment.
std::string PercentDecoded(absl::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    int byte = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        absl::SimpleHexAtoi(text.substr(i + 1, 2), &byte)) {
      decoded.push_back(static_cast<char>(byte));
      i += 2;
    } else {
      decoded.push_back(text[i]);
    }
  }
  return decoded;
}

const JsonValue* Step(const JsonValue& value, absl::string_view key) {
  if (!value.is_array()) return value.Find(key);
  size_t index = 0;
  if (!absl::SimpleAtoi(key, &index) || index >= value.elements.size()) return nullptr;
  return &value.elements[index];
}

const JsonValue* FollowPointer(const JsonValue* value, absl::string_view pointer) {
  for (const absl::string_view step : absl::StrSplit(pointer.substr(1), '/')) {
    value = Step(*value, absl::StrReplaceAll(step, {{"~1", "/"}, {"~0", "~"}}));
    if (value == nullptr) return nullptr;
  }
  return value;
}

// Of a part within `value`, as far as it is not `value` itself.
std::optional<std::string> FindPointer(const JsonValue& value, const JsonValue& part) {
  if (&value == &part) return "";
  for (size_t i = 0; i < value.elements.size(); ++i) {
    std::optional<std::string> rest = FindPointer(value.elements[i], part);
    if (!rest.has_value()) continue;
    const std::string step =
        value.is_object() ? JsonPointerStep(value.keys[i]) : absl::StrCat("/", i);
    return absl::StrCat(step, *rest);
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<SchemaDocument> SchemaDocument::Parse(absl::string_view text) {
  absl::StatusOr<JsonValue> root = ParseJson(text);
  if (!root.ok()) return root.status();
  if (!root->is_object() && !root->is_bool()) {
    return absl::InvalidArgumentError(
        absl::StrCat("# is ", KindName(root->kind), "; a schema must be an object or a boolean"));
  }
  return SchemaDocument(*std::move(root));
}

SchemaDocument::SchemaDocument(JsonValue root)
    : root_(std::make_unique<JsonValue>(std::move(root))) {
  const JsonValue* dialect = root_->Find("$schema");
  if (dialect != nullptr) {
    has_plain_id_ = absl::StrContains(dialect->text, "/draft-04/");
    // Later drafts have "/draft/2019-09/".
    ref_stands_alone_ = absl::StrContains(dialect->text, "/draft-0");
  }
  resources_[""] = root_.get();
  Index(*root_, "");
}

void SchemaDocument::Index(const JsonValue& schema, std::string base) {
  if (!schema.is_object()) return;
  schemas_.push_back(&schema);
  const JsonValue* id = schema.Find(has_plain_id_ ? "id" : "$id");
  if (id != nullptr && id->is_string()) {
    const std::string uri = ResolveUri(base, id->text);
    // Up to draft 7, an id that was a fragment named an anchor.
    if (absl::StartsWith(id->text, "#") && id->text.size() > 1) {
      anchors_.try_emplace(uri, &schema);
    } else {
      base = std::string(WithoutFragment(uri));
      resources_.try_emplace(base, &schema);
    }
  }
  for (const absl::string_view keyword : {"$anchor", "$dynamicAnchor"}) {
    const JsonValue* anchor = schema.Find(keyword);
    if (anchor != nullptr) anchors_.try_emplace(absl::StrCat(base, "#", anchor->text), &schema);
  }
  if (!base.empty()) bases_[&schema] = base;
  for (size_t i = 0; i < schema.keys.size(); ++i) {
    IndexKeyword(schema.keys[i], schema.elements[i], base);
  }
}

void SchemaDocument::IndexKeyword(absl::string_view keyword, const JsonValue& value,
                                  const std::string& base) {
  const bool is_map = absl::c_linear_search(kSchemaMapKeywords, keyword);
  if (!is_map && !absl::c_linear_search(kSchemaKeywords, keyword)) return;
  if (is_map || value.is_array()) {
    for (const JsonValue& schema : value.elements) Index(schema, base);
  } else {
    Index(value, base);
  }
}

const JsonValue* SchemaDocument::Resolve(const JsonValue& schema,
                                         absl::string_view reference) const {
  const auto base = bases_.find(&schema);
  const std::string uri = ResolveUri(base == bases_.end() ? "" : base->second, reference);
  const auto resource = resources_.find(WithoutFragment(uri));
  if (resource == resources_.end()) return nullptr;
  const size_t hash = uri.find('#');
  const std::string fragment = hash == uri.npos ? "" : PercentDecoded(uri.substr(hash + 1));
  if (fragment.empty()) return resource->second;
  if (fragment[0] == '/') return FollowPointer(resource->second, fragment);
  const auto anchor = anchors_.find(absl::StrCat(resource->first, "#", fragment));
  return anchor == anchors_.end() ? nullptr : anchor->second;
}

std::string SchemaDocument::PointerTo(const JsonValue& part) const {
  return absl::StrCat("#", FindPointer(*root_, part).value_or(""));
}

}  // namespace logitchain
