#include "logitchain/cli/import/source_value.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

std::string Quoted(absl::string_view text) {
  return absl::StrCat("\"", absl::Utf8SafeCEscape(text), "\"");
}

std::string JsonQuoted(absl::string_view text) { return nlohmann::json(std::string(text)).dump(); }

// With strings quoted by `quote`.
std::string Text(const SourceValue& value, std::string (*quote)(absl::string_view)) {
  using Kind = SourceValue::Kind;
  if (value.kind == Kind::kNull) return "null";
  if (value.kind == Kind::kString) return quote(value.text);
  if (value.kind != Kind::kList && value.kind != Kind::kObject) return value.text;
  const bool is_object = value.kind == Kind::kObject;
  std::string text = is_object ? "{" : "[";
  for (size_t i = 0; i < value.elements.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ",", is_object ? quote(value.keys[i]) : "",
                    is_object ? ":" : "", Text(value.elements[i], quote));
  }
  return absl::StrCat(text, is_object ? "}" : "]");
}

// At most the first bytes of `text`, and no part of a character.
std::string Cut(std::string text) {
  constexpr size_t kLongest = 60;
  if (text.size() <= kLongest) return text;
  size_t end = kLongest;
  while (end > 0 && (text[end] & 0xC0) == 0x80) --end;
  return absl::StrCat(text.substr(0, end), "...");
}

}  // namespace

std::string JsonText(const SourceValue& value) { return Text(value, JsonQuoted); }

std::string CompactText(const SourceValue& value) { return Text(value, Quoted); }

std::string Shown(absl::string_view text) { return Cut(absl::Utf8SafeCEscape(text)); }

std::string Shown(const SourceValue& value) { return Cut(CompactText(value)); }

std::string ShownValue(const SourceParameter& parameter) {
  return parameter.spelling ? Shown(*parameter.spelling) : Shown(parameter.value);
}

TextLocation LocationOf(absl::string_view text, size_t offset) {
  const absl::string_view before = text.substr(0, offset);
  const size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0.
  return {.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
          .column = 1 + static_cast<int>(before.size() - line_begin)};
}

std::string Prefix(absl::string_view filename, const TextLocation& location) {
  return absl::StrCat(filename, ":", location.line, ":", location.column, ": ");
}

}  // namespace logitchain
