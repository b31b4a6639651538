#ifndef LOGITCHAIN_GRAMMAR_SYNTAX_REGEX_SYNTAX_H_
#define LOGITCHAIN_GRAMMAR_SYNTAX_REGEX_SYNTAX_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/regex/character_coding.h"
#include "logitchain/grammar/regex/regex_arena.h"
#include "logitchain/grammar/syntax/regex_tree.h"

namespace logitchain {

enum class RegexExtent {
  kWholeText,  // The pattern must match all of a text.
  kPartOfText  // It must match somewhere in it, as JSON Schema's `pattern`.
};

// The texts, in this coding, that a pattern matches. Its syntax is that of ParseRegexTree. ^ is the
// start and $ the end of the whole text, never of a line. InvalidArgument, with line and column,
// also where an assertion stands inside of a repetition, or ^ behind something that may be empty.
absl::StatusOr<RegexId> CompileRegex(absl::string_view pattern, RegexExtent extent,
                                     CharacterCoding& coding);
// The same for a pattern that was parsed already.
absl::StatusOr<RegexId> CompileRegex(absl::string_view pattern, const RegexTree& tree,
                                     RegexExtent extent, CharacterCoding& coding);

// The grammar of the texts, in UTF-8, that a pattern matches as a whole.
absl::StatusOr<Grammar> RegexGrammar(absl::string_view pattern);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_SYNTAX_REGEX_SYNTAX_H_
