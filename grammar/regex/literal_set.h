#ifndef LOGITCHAIN_GRAMMAR_REGEX_LITERAL_SET_H_
#define LOGITCHAIN_GRAMMAR_REGEX_LITERAL_SET_H_

#include <string>
#include <vector>

#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// What is one of the texts, in any order and with repetitions; nothing if there are none. Shared
// beginnings are there once, so that the cost of a step does not hang on the number of texts.
RegexId LiteralSet(const std::vector<std::string>& texts, RegexArena& arena);

// The same for sequences of expressions, of which equal ones are shared.
RegexId SequenceSet(std::vector<std::vector<RegexId>> sequences, RegexArena& arena);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_REGEX_LITERAL_SET_H_
