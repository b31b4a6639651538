#ifndef LOGITCHAIN_GRAMMAR_SYNTAX_REGEX_TREE_H_
#define LOGITCHAIN_GRAMMAR_SYNTAX_REGEX_TREE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/regex/code_point_set.h"

namespace logitchain {

// A node of a parsed regular expression; `kind` says which fields mean anything.
struct RegexTreeNode {
  enum class Kind : uint8_t {
    kCharacter,     // One of `characters`.
    kSequence,      // The children, one after the other.
    kAlternatives,  // One of the children.
    kRepeat,        // The child, `min` to `max` times.
    kStart,         // ^
    kEnd,           // $
    kAhead,         // (?=child): what follows begins like this.
    kNotAhead,      // (?!child)
  };

  Kind kind;
  size_t offset;  // In the pattern, for messages.
  CodePointSet characters = {};
  std::vector<int32_t> children = {};
  int32_t min = 0;
  int32_t max = 0;
  // There is an assertion, one of the last four kinds, in it.
  bool has_assertion = false;
};

// A parsed regular expression. Children come before their parents, and the root is last.
struct RegexTree {
  std::vector<RegexTreeNode> nodes;
};

// The most bytes of a pattern.
inline constexpr size_t kMaxRegexSize = size_t{1} << 16;

// Parses the regular expressions of ECMA-262, as they are with the flag u, and with the leniency of
// its annex B towards brackets and needless backslashes, except where another dialect would give
// them a meaning: {,3} and [[:alpha:]] are refused. A lazy quantifier is the same as a greedy one,
// since only what matches counts, not how. InvalidArgument, with line and column, for what is no
// regular expression and for \b, \B, look-behind and references to groups.
absl::StatusOr<RegexTree> ParseRegexTree(absl::string_view pattern);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_SYNTAX_REGEX_TREE_H_
