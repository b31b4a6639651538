#include "logitchain/grammar/json_schema/schema_context.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/string_format.h"
#include "logitchain/grammar/regex/character_coding.h"
#include "logitchain/grammar/regex/regex_arena.h"
#include "logitchain/grammar/syntax/regex_syntax.h"

namespace logitchain {
namespace {

const JsonValue& TrueSchema() {
  static const JsonValue* const schema =
      new JsonValue{.kind = JsonValue::Kind::kBool, .boolean = true};
  return *schema;
}

}  // namespace

SchemaContext::SchemaContext(const SchemaDocument& document, JsonStringCoding& coding, bool lenient)
    : document_(document),
      coding_(coding),
      canonical_(coding),
      numbers_(coding.arena()),
      lenient_(lenient),
      any_number_(numbers_.Any()),
      any_text_(coding.AnyText()) {
  Ref(TrueSchema());  // Number 0, for False.
}

SchemaRef SchemaContext::Ref(const JsonValue& schema, bool negated) {
  const auto [entry, is_new] =
      schema_numbers_.try_emplace(&schema, static_cast<int32_t>(schemas_.size()));
  if (is_new) schemas_.push_back(&schema);
  return {.number = entry->second, .negated = negated};
}

absl::StatusOr<RegexId> SchemaContext::StringsOfFormat(absl::string_view format,
                                                       bool is_canonical) {
  const std::pair<std::string, bool> key(format, is_canonical);
  const auto known = strings_of_formats_.find(key);
  if (known != strings_of_formats_.end()) return known->second;
  CharacterCoding& coding = is_canonical ? static_cast<CharacterCoding&>(canonical_) : coding_;
  const FormatPattern& pattern = PatternOfFormat(format);
  const absl::StatusOr<RegexId> strings =
      CompileRegex(pattern.text, pattern.tree, RegexExtent::kWholeText, coding);
  if (strings.ok()) strings_of_formats_.emplace(key, *strings);
  return strings;
}

absl::Status SchemaContext::Malformed(const JsonValue& part, absl::string_view message) const {
  return absl::InvalidArgumentError(absl::StrCat(document_.PointerTo(part), " ", message));
}

absl::Status SchemaContext::Unsupported(const JsonValue& part, absl::string_view message) {
  if (!lenient_) {
    return absl::UnimplementedError(absl::StrCat(document_.PointerTo(part), " ", message));
  }
  NoteIgnored(part, message);
  return absl::OkStatus();
}

void SchemaContext::NoteIgnored(const JsonValue& part, absl::string_view message) {
  std::string note = absl::StrCat(document_.PointerTo(part), " ", message);
  if (!absl::c_linear_search(ignored_, note)) ignored_.push_back(std::move(note));
}

}  // namespace logitchain
