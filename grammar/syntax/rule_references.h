#ifndef LOGITCHAIN_GRAMMAR_SYNTAX_RULE_REFERENCES_H_
#define LOGITCHAIN_GRAMMAR_SYNTAX_RULE_REFERENCES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/syntax/text_cursor.h"

namespace logitchain {

// The most bytes of a grammar's text.
inline constexpr size_t kMaxGrammarSize = size_t{1} << 22;

// Groups in groups.
inline constexpr int kMaxGroupNesting = 200;

// The largest count of a repetition.
inline constexpr int32_t kMaxRepeatCount = 1'000'000;

// InvalidArgument if a grammar's text is too long.
absl::Status CheckGrammarSize(absl::string_view text);

// The rules that the text of a grammar names, with the places where it does.
class RuleReferences {
 public:
  RuleReferences(GrammarBuilder& builder, TextCursor& cursor)
      : builder_(builder), cursor_(cursor) {}

  NodeId Refer(absl::string_view name, size_t offset);
  // Fails where a rule is defined for the second time.
  void Define(absl::string_view name, size_t offset, NodeId body);
  // The grammar of all rules, which starts with "root" if there is one, else with the first one.
  // Fails if there was an error, where an undefined rule is named first, and if there are no rules.
  // Nothing may be added afterwards.
  absl::StatusOr<Grammar> Build();

 private:
  void CheckReferences();

  GrammarBuilder& builder_;
  TextCursor& cursor_;
  std::vector<std::pair<size_t, RuleId>> references_;
  std::optional<RuleId> first_;
  std::optional<RuleId> root_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_SYNTAX_RULE_REFERENCES_H_
