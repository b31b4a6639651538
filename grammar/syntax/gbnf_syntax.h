#ifndef LOGITCHAIN_GRAMMAR_SYNTAX_GBNF_SYNTAX_H_
#define LOGITCHAIN_GRAMMAR_SYNTAX_GBNF_SYNTAX_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/grammar.h"

namespace logitchain {

// Parses llama.cpp's GBNF, and the notation of the W3C's XML grammar, which is near to it:
//
//   root  ::= item ("," item)* # until the end of the line
//   item  ::= "text" | 'text' | [a-z_] | [^\x00-\x1F] | . | ( … ) | other
//   other ::= item? item* item+ item{2} item{2,} item{,4} item{2,4}
//
// A rule's body may go on over several lines; the next rule begins where a name is followed by ::=.
// Escapes are \n \r \t \xHH \uHHHH \UHHHHHHHH, and a backslash before ASCII punctuation, which then
// stands for itself. Classes, and negated ones as well, are sets of characters, never of bytes. The
// start is the rule root or, if there is none, the first one. A rule may derive the empty text and
// may be left-recursive.
//
// InvalidArgument, with line and column, for what is no grammar; also for llama.cpp's tokens
// (<think>, <[1000]>), which are not text, and for W3C's difference of two expressions.
absl::StatusOr<Grammar> GbnfGrammar(absl::string_view text);

// The same, but for the W3C's characters by number, which GBNF takes for comments: #x and 1 to 6
// hexadecimal digits, with no letter or digit behind them, is one in an expression (#x9 | #xA), and
// #x with such digits always in a class ([#x41-#x43]). Any other # still begins a comment.
absl::StatusOr<Grammar> W3cGrammar(absl::string_view text);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_SYNTAX_GBNF_SYNTAX_H_
