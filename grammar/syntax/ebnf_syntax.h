#ifndef LOGITCHAIN_GRAMMAR_SYNTAX_EBNF_SYNTAX_H_
#define LOGITCHAIN_GRAMMAR_SYNTAX_EBNF_SYNTAX_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/grammar.h"

namespace logitchain {

// Parses EBNF (ISO/IEC 14977), whose rules end with a semicolon:
//
//   list = item, { ",", item } ; (* braces: any number of times *)
//   item = "text" | 'text' | [ optional ] | ( a | b ) | 3 * digit ;
//
// Texts have no escapes, and commas between the parts of a sequence may be left out. The start is
// the rule root or, if there is none, the first one. InvalidArgument, with line and column, for
// what is no grammar, and for exceptions (a - b) and special sequences (? … ?).
absl::StatusOr<Grammar> EbnfGrammar(absl::string_view text);

// Of a text in this notation or in that of GbnfGrammar: the sign that the first rule has between
// its name and its body tells, = or ::=.
absl::StatusOr<Grammar> GbnfOrEbnfGrammar(absl::string_view text);

// The same for a text that is known to be EBNF, this one or the W3C's: with ::= it is in the
// notation of W3cGrammar.
absl::StatusOr<Grammar> EbnfOrW3cGrammar(absl::string_view text);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_SYNTAX_EBNF_SYNTAX_H_
