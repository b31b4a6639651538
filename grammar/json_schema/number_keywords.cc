#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/decimal.h"
#include "logitchain/grammar/json_schema/keyword.h"
#include "logitchain/grammar/json_schema/keyword_values.h"
#include "logitchain/grammar/json_schema/number_texts.h"
#include "logitchain/grammar/json_schema/shape.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

// Requires that numbers are among `satisfying`, or violates it by those among `violating`.
void ReadNumbers(const KeywordUse& use, RegexId satisfying, RegexId violating) {
  if (use.negated) {
    Shape shape = {.types = kNumberType};
    shape.number = violating;
    use.Violate(std::move(shape));
  } else {
    Shape shape;
    shape.number = satisfying;
    use.Require(shape);
  }
}

enum class Side { kAbove, kBelow };

absl::Status ReadBound(const KeywordUse& use, Side side, bool exclusive) {
  const absl::StatusOr<Decimal> bound = ReadDecimal(use.context, use.value);
  if (!bound.ok()) return bound.status();
  NumberTexts& numbers = use.context.numbers();
  if (side == Side::kAbove) {
    ReadNumbers(use, numbers.Above(*bound, !exclusive), numbers.Below(*bound, exclusive));
  } else {
    ReadNumbers(use, numbers.Below(*bound, !exclusive), numbers.Above(*bound, exclusive));
  }
  return absl::OkStatus();
}

// Up to draft 4, exclusiveMinimum was a boolean beside minimum.
bool IsTrue(const JsonValue* value) {
  return value != nullptr && value->is_bool() && value->boolean;
}

absl::Status ReadMinimum(const KeywordUse& use) {
  return ReadBound(use, Side::kAbove, IsTrue(use.schema.Find("exclusiveMinimum")));
}

absl::Status ReadMaximum(const KeywordUse& use) {
  return ReadBound(use, Side::kBelow, IsTrue(use.schema.Find("exclusiveMaximum")));
}

absl::Status ReadExclusiveMinimum(const KeywordUse& use) {
  if (use.value.is_bool()) return absl::OkStatus();
  return ReadBound(use, Side::kAbove, /*exclusive=*/true);
}

absl::Status ReadExclusiveMaximum(const KeywordUse& use) {
  if (use.value.is_bool()) return absl::OkStatus();
  return ReadBound(use, Side::kBelow, /*exclusive=*/true);
}

absl::Status ReadMultipleOf(const KeywordUse& use) {
  const absl::StatusOr<Decimal> divisor = ReadDecimal(use.context, use.value);
  if (!divisor.ok()) return divisor.status();
  if (divisor->negative || divisor->is_zero()) {
    return use.context.Malformed(use.value,
                                 absl::StrCat("is ", use.value.text, "; it must be above 0"));
  }
  NumberTexts& numbers = use.context.numbers();
  const std::optional<RegexId> multiples = numbers.MultiplesOf(*divisor);
  if (!multiples.has_value()) {
    return use.context.Unsupported(
        use.value, absl::StrCat("is ", use.value.text, ", which has too many digits"));
  }
  RegexArena& arena = use.context.arena();
  ReadNumbers(use, *multiples, arena.Both(numbers.Plain(), arena.Not(*multiples)));
  return absl::OkStatus();
}

constexpr Keyword kKeywords[] = {{"minimum", ReadMinimum},
                                 {"maximum", ReadMaximum},
                                 {"exclusiveMinimum", ReadExclusiveMinimum},
                                 {"exclusiveMaximum", ReadExclusiveMaximum},
                                 {"multipleOf", ReadMultipleOf}};

}  // namespace

absl::Span<const Keyword> NumberKeywords() { return kKeywords; }

}  // namespace logitchain
