#ifndef LOGITCHAIN_GRAMMAR_JSON_JSON_VALUE_H_
#define LOGITCHAIN_GRAMMAR_JSON_JSON_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace logitchain {

// A parsed JSON value. Numbers keep their text and objects the order of their names, both of which
// say more than a double and a map do.
struct JsonValue {
  enum class Kind : uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  bool boolean = false;
  std::string text;               // Of a number as it was written, of a string what it says.
  std::vector<std::string> keys;  // Of an object; as many as elements, all different.
  std::vector<JsonValue> elements;

  bool is_object() const { return kind == Kind::kObject; }
  bool is_array() const { return kind == Kind::kArray; }
  bool is_string() const { return kind == Kind::kString; }
  bool is_number() const { return kind == Kind::kNumber; }
  bool is_bool() const { return kind == Kind::kBool; }

  // The value of an object's key; null if there is none, or this is no object.
  const JsonValue* Find(absl::string_view key) const;
};

// "an object", "a number" and so on, for messages.
absl::string_view KindName(JsonValue::Kind kind);

// A step of a JSON pointer (RFC 6901): a slash and the key, with ~ and / escaped.
std::string JsonPointerStep(absl::string_view key);

// Nesting of arrays and objects.
inline constexpr size_t kMaxJsonNesting = 500;

// InvalidArgument, with line and column, if `text` is not JSON, has a key twice in an object, or is
// nested deeper than kMaxJsonNesting.
absl::StatusOr<JsonValue> ParseJson(absl::string_view text);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_JSON_VALUE_H_
