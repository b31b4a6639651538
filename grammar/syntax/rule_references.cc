#include "logitchain/grammar/syntax/rule_references.h"

#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/grammar.h"

namespace logitchain {

absl::Status CheckGrammarSize(absl::string_view text) {
  if (text.size() <= kMaxGrammarSize) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("has ", text.size(), " bytes; a grammar has at most ", kMaxGrammarSize));
}

NodeId RuleReferences::Refer(absl::string_view name, size_t offset) {
  const RuleId rule = builder_.Rule(name);
  references_.push_back({offset, rule});
  return builder_.Call(rule);
}

void RuleReferences::Define(absl::string_view name, size_t offset, NodeId body) {
  const RuleId rule = builder_.Rule(name);
  if (!first_.has_value()) first_ = rule;
  if (name == "root") root_ = rule;
  if (builder_.IsDefined(rule)) {
    cursor_.FailAt(offset, absl::StrCat("rule ", name, " is defined already"));
    return;
  }
  builder_.Define(rule, body);
}

absl::StatusOr<Grammar> RuleReferences::Build() {
  if (cursor_.ok()) CheckReferences();
  if (!cursor_.ok()) return cursor_.status();
  return std::move(builder_).Build(root_.value_or(first_.value_or(0)));
}

void RuleReferences::CheckReferences() {
  if (!first_.has_value()) cursor_.Fail("there is no rule");
  for (const auto& [offset, rule] : references_) {
    if (builder_.IsDefined(rule)) continue;
    cursor_.FailAt(offset, absl::StrCat("rule ", builder_.NameOf(rule), " is not defined"));
  }
}

}  // namespace logitchain
