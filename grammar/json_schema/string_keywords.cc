#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/keyword.h"
#include "logitchain/grammar/json_schema/keyword_values.h"
#include "logitchain/grammar/json_schema/schema_context.h"
#include "logitchain/grammar/json_schema/shape.h"
#include "logitchain/grammar/json_schema/string_format.h"
#include "logitchain/grammar/regex/character_coding.h"
#include "logitchain/grammar/regex/code_point_set.h"
#include "logitchain/grammar/regex/regex_arena.h"
#include "logitchain/grammar/syntax/regex_syntax.h"

namespace logitchain {
namespace {

// Requires that strings are among `strings`, or violates it by the others.
void ReadStrings(const KeywordUse& use, RegexId strings) {
  Shape shape = {.types = use.negated ? kStringType : kAllTypes};
  shape.string = use.negated ? use.context.OtherTexts(strings) : strings;
  if (use.negated) {
    use.Violate(std::move(shape));
  } else {
    use.Require(shape);
  }
}

// Strings with so many characters.
RegexId OfLength(SchemaContext& context, int32_t min, int32_t max) {
  if (min > max) return RegexArena::kNothing;
  return context.arena().Repeat(context.coding().Character(CodePointSet::All()), min, max);
}

absl::Status ReadMinLength(const KeywordUse& use) {
  const absl::StatusOr<int32_t> count = ReadCount(use.context, use.value);
  if (!count.ok()) return count.status();
  // With maxLength beside it, that asks for both: one repetition is simpler than two of them.
  if (!use.negated && use.schema.Find("maxLength") != nullptr) return absl::OkStatus();
  ReadStrings(use, OfLength(use.context, *count, kUnbounded));
  return absl::OkStatus();
}

absl::Status ReadMaxLength(const KeywordUse& use) {
  const absl::StatusOr<int32_t> count = ReadCount(use.context, use.value);
  if (!count.ok()) return count.status();
  const JsonValue* const min_length = use.schema.Find("minLength");
  absl::StatusOr<int32_t> min = 0;
  if (!use.negated && min_length != nullptr) min = ReadCount(use.context, *min_length);
  if (!min.ok()) return min.status();
  ReadStrings(use, OfLength(use.context, *min, *count));
  return absl::OkStatus();
}

absl::Status ReadPattern(const KeywordUse& use) {
  if (absl::Status status = CheckKind(use.context, use.value, JsonValue::Kind::kString);
      !status.ok()) {
    return status;
  }
  const absl::StatusOr<RegexId> strings =
      CompileRegex(use.value.text, RegexExtent::kPartOfText, use.context.coding());
  if (!strings.ok()) {
    return use.context.Unsupported(use.value, absl::StrCat("at ", strings.status().message()));
  }
  ReadStrings(use, *strings);
  return absl::OkStatus();
}

absl::Status ReadFormat(const KeywordUse& use) {
  if (absl::Status status = CheckKind(use.context, use.value, JsonValue::Kind::kString);
      !status.ok()) {
    return status;
  }
  const std::string& format = use.value.text;
  switch (SupportOfFormat(format)) {
    case FormatSupport::kUnknown:
      use.context.NoteIgnored(use.value, absl::StrCat("is \"", absl::Utf8SafeCEscape(format),
                                                      "\", which JSON Schema does not define"));
      return absl::OkStatus();
    case FormatSupport::kUnsupported:
      return use.context.Unsupported(
          use.value, absl::StrCat("is \"", format, "\", which no regular expression describes"));
    case FormatSupport::kSupported:
      break;
  }
  const absl::StatusOr<RegexId> strings =
      use.context.StringsOfFormat(format, /*is_canonical=*/!use.negated);
  if (!strings.ok()) return strings.status();
  ReadStrings(use, *strings);
  return absl::OkStatus();
}

constexpr Keyword kKeywords[] = {{"minLength", ReadMinLength},
                                 {"maxLength", ReadMaxLength},
                                 {"pattern", ReadPattern},
                                 {"format", ReadFormat}};

}  // namespace

absl::Span<const Keyword> StringKeywords() { return kKeywords; }

}  // namespace logitchain
