#include "logitchain/grammar/syntax/choice_syntax.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/core/decode/utf8.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/regex/literal_set.h"

namespace logitchain {
namespace {

absl::Status CheckTexts(absl::Span<const std::string> texts) {
  if (texts.empty()) {
    return absl::InvalidArgumentError("there is no choice; there must be at least one");
  }
  size_t bytes = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!IsUtf8(texts[i])) {
      return absl::InvalidArgumentError(absl::StrCat("choice[", i, "] is not UTF-8"));
    }
    bytes += texts[i].size();
  }
  if (bytes <= kMaxChoiceBytes) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("choice has ", bytes, " bytes in all; it must have at most ", kMaxChoiceBytes));
}

}  // namespace

absl::StatusOr<Grammar> ChoiceGrammar(absl::Span<const std::string> texts) {
  if (absl::Status status = CheckTexts(texts); !status.ok()) return status;
  GrammarBuilder builder;
  const RuleId start = builder.Rule("choice");
  builder.Define(start,
                 builder.Terminal(LiteralSet({texts.begin(), texts.end()}, builder.regexes())));
  return std::move(builder).Build(start);
}

}  // namespace logitchain
