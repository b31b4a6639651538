#include "logitchain/grammar/json/json_value.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/json/json_tree_builder.h"
#include "logitchain/grammar/syntax/text_cursor.h"

namespace logitchain {
namespace {

class ValueBuilder final : public JsonTreeBuilder<JsonValue, JsonValue::Kind::kArray> {
 public:
  explicit ValueBuilder(absl::string_view text) : JsonTreeBuilder(text, kMaxJsonNesting) {}

  absl::StatusOr<JsonValue> Parse() {
    Run();
    if (!status_.ok()) return status_;
    return std::move(root());
  }

  bool boolean(bool value) override {
    return Add({.kind = JsonValue::Kind::kBool, .boolean = value});
  }

  bool key(string_t& key) override {
    Frame& frame = open().back();
    if (!frame.keys.insert(key).second) {
      return Fail(absl::StrCat("the key \"", absl::Utf8SafeCEscape(key), "\" is given twice"));
    }
    frame.value.keys.push_back(std::move(key));
    return true;
  }

 private:
  bool Fail(absl::string_view message) override {
    status_ = SyntaxError(text(), last_read(), message);
    return false;
  }

  absl::Status status_;
};

}  // namespace

const JsonValue* JsonValue::Find(absl::string_view key) const {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == key) return &elements[i];
  }
  return nullptr;
}

absl::string_view KindName(JsonValue::Kind kind) {
  switch (kind) {
    case JsonValue::Kind::kNull:
      return "null";
    case JsonValue::Kind::kBool:
      return "a boolean";
    case JsonValue::Kind::kNumber:
      return "a number";
    case JsonValue::Kind::kString:
      return "a string";
    case JsonValue::Kind::kArray:
      return "an array";
    case JsonValue::Kind::kObject:
      return "an object";
  }
  return "";
}

std::string JsonPointerStep(absl::string_view key) {
  return absl::StrCat("/", absl::StrReplaceAll(key, {{"~", "~0"}, {"/", "~1"}}));
}

absl::StatusOr<JsonValue> ParseJson(absl::string_view text) { return ValueBuilder(text).Parse(); }

}  // namespace logitchain
