#ifndef LOGITCHAIN_GRAMMAR_SYNTAX_REGEX_ESCAPE_H_
#define LOGITCHAIN_GRAMMAR_SYNTAX_REGEX_ESCAPE_H_

#include "logitchain/grammar/regex/code_point_set.h"
#include "logitchain/grammar/syntax/text_cursor.h"

namespace logitchain {

// What `.` matches: every character that does not end a line.
CodePointSet RegexDot();

// Reads what stands behind a backslash of a regular expression and means characters: \d, \n,
// \u{1F600}, \p{L}, \/ and so on. A class has \b (backspace) and \- besides.
CodePointSet ReadRegexEscape(TextCursor& cursor, bool in_class);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_SYNTAX_REGEX_ESCAPE_H_
