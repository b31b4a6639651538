#ifndef LOGITCHAIN_GRAMMAR_GRAMMAR_NODE_H_
#define LOGITCHAIN_GRAMMAR_GRAMMAR_NODE_H_

#include <cstdint>

namespace logitchain {

// A rule's index in its grammar.
using RuleId = int32_t;
// A node's index in its grammar.
using NodeId = int32_t;

// As an Unordered node's extra that is not there.
inline constexpr NodeId kNoNode = -1;

// A piece of a rule's body. `kind` says which of the fields mean anything.
struct GrammarNode {
  enum class Kind : uint8_t {
    kTerminal,   // What the regular expression `target` matches. There is no longest match: every
                 // way to split a text counts.
    kCall,       // What rule `target` derives.
    kSequence,   // The children in this order; the empty text if there are none.
    kChoice,     // What one of the children derives; nothing at all if there are none.
    kRepeat,     // The one child, `min` to `max` times; max may be kUnbounded.
    kUnordered,  // See GrammarBuilder::Unordered. Children: separator, extra or kNoNode, members.
  };

  Kind kind;
  int32_t target = 0;
  int32_t first_child = 0;  // Into Grammar's list of children.
  int32_t child_count = 0;
  int32_t min = 0;
  int32_t max = 0;
  int32_t required = 0;  // Of kUnordered: so many members, the first ones, must occur.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_GRAMMAR_NODE_H_
