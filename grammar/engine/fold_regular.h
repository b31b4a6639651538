#ifndef LOGITCHAIN_GRAMMAR_ENGINE_FOLD_REGULAR_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_FOLD_REGULAR_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// A part of a grammar as one regular expression.
struct FoldedNode {
  RegexId regex;
  // It matches texts of a bounded and small length, such as keywords and single characters.
  bool is_short = false;
  // A lexeme of the grammar's author: a terminal that is not short, or a call of a rule that is
  // not. It is not folded into something larger than a choice, so that what a lexeme's masks cost
  // is paid once, wherever the lexeme stands.
  bool is_lexeme = false;
};

// Finds the parts of a grammar that are regular: for each node its expression in `arena`, or
// nullopt where it has none. A rule that calls itself has none, even if its language is regular.
// `arena` is a copy of the grammar's own; expressions are added to it.
std::vector<std::optional<FoldedNode>> FoldRegular(const Grammar& grammar, RegexArena& arena);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_FOLD_REGULAR_H_
