#ifndef LOGITCHAIN_CLI_IMPORT_SOURCE_VALUE_H_
#define LOGITCHAIN_CLI_IMPORT_SOURCE_VALUE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "logitchain/registry/chain_text.h"

namespace logitchain {

// A value as another system's file has it. Numbers are kept as they are written, so that none loses
// a digit on its way.
struct SourceValue {
  enum class Kind { kNull, kBool, kNumber, kString, kList, kObject };
  Kind kind = Kind::kNull;
  std::string text;                   // Of a bool, number or string.
  std::vector<std::string> keys;      // Of an object, one for each element.
  std::vector<SourceValue> elements;  // Of a list or object.
};

// A parameter that a file gives.
struct SourceParameter {
  std::string key;   // As tables know it: "top_k"; "" if they do not.
  std::string name;  // As the file has it: "/top_k", "--top-k".
  SourceValue value;
  TextLocation location;
  bool is_switch = false;  // A flag whose name says it all.
  // The value as a command line has it, where JSON would be another text.
  std::optional<std::string> spelling;
  // Of a parameter whose values add up: each as it is given.
  std::vector<SourceParameter> parts;
};

// The value as JSON without spaces.
std::string JsonText(const SourceValue& value);

// The same for messages, where strings have the escapes of C.
std::string CompactText(const SourceValue& value);

// `text` for a message or comment: in one line, and not long.
std::string Shown(absl::string_view text);

// The value for a message or comment.
std::string Shown(const SourceValue& value);

// The parameter's value, as it is given, for a message or comment.
std::string ShownValue(const SourceParameter& parameter);

// Where the byte at `offset` is.
TextLocation LocationOf(absl::string_view text, size_t offset);

// "request.json:3:14: "
std::string Prefix(absl::string_view filename, const TextLocation& location);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_SOURCE_VALUE_H_
