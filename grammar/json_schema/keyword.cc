#include "logitchain/grammar/json_schema/keyword.h"

#include <utility>

#include "absl/status/status.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/shape.h"

namespace logitchain {

absl::Status KeywordUse::NegationUnsupported(const JsonValue& part, TypeSet type) const {
  Shape violating = {.types = type};
  const absl::Status error = context.Unsupported(
      part, "cannot be negated, which `not`, `if`, or a `oneOf` of schemas that overlap asks for");
  if (type == kArrayType) violating.array_error = error;
  if (type == kObjectType) violating.object_error = error;
  Violate(std::move(violating));
  return absl::OkStatus();
}

}  // namespace logitchain
