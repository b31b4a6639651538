#ifndef LOGITCHAIN_GRAMMAR_SYNTAX_CHOICE_SYNTAX_H_
#define LOGITCHAIN_GRAMMAR_SYNTAX_CHOICE_SYNTAX_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/grammar/grammar.h"

namespace logitchain {

// The most bytes that the texts of a choice may have together.
inline constexpr size_t kMaxChoiceBytes = size_t{1} << 20;

// The grammar of a text that is one of these. InvalidArgument if there are none, or one is not
// UTF-8, or they exceed kMaxChoiceBytes.
absl::StatusOr<Grammar> ChoiceGrammar(absl::Span<const std::string> texts);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_SYNTAX_CHOICE_SYNTAX_H_
