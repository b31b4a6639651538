#ifndef LOGITCHAIN_GRAMMAR_ENGINE_NETWORK_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_NETWORK_H_

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// A range of indices.
struct IndexRange {
  int32_t begin = 0;
  int32_t end = 0;
  bool empty() const { return begin == end; }
};

// From an item over what an expression matches to an item.
struct TerminalEdge {
  RegexId regex;
  int32_t target;
};

// From an item over what a rule derives to an item.
struct CallEdge {
  int32_t rule;
  int32_t target;
  // Nothing but the end of the calling rule follows.
  bool is_tail = false;
};

// A place in a rule's body: what may come there.
struct Item {
  IndexRange terminals;
  IndexRange calls;
  // The rule may end here.
  bool ends = false;
};

// A rule whose body is a list of parts, of which each may be used once; see GrammarBuilder's
// Unordered. A repetition with large counts is one as well, without members.
struct UnorderedRule {
  std::vector<int32_t> members;  // Rules; the first `required` must occur.
  int32_t required = 0;
  int32_t extra = -1;      // A rule, or -1.
  int32_t separator = -1;  // A rule, or -1: nothing stands between.
  int32_t min = 0;
  int32_t max = 0;
};

// A grammar as the parser runs it: a recursive transition network. Parts of rules that are regular
// are folded into one expression each, where that makes masks cheaper; parts from which no text can
// be completed are left out; an item's edges include those behind what derives the empty text, so
// that the parser never follows an edge without a byte.
struct Network {
  static constexpr int32_t kNoUnordered = -1;

  struct Rule {
    int32_t start = 0;  // An item. Of an unordered rule it has no meaning.
    int32_t unordered = kNoUnordered;
    bool is_nullable = false;
    // Rules that may begin each other are in one group; a rule's group comes before those of the
    // rules that it begins with.
    int32_t left_group = 0;
  };

  explicit Network(RegexArena arena) : regexes(std::move(arena)) {}

  RegexArena regexes;
  std::vector<TerminalEdge> terminals;
  std::vector<CallEdge> calls;
  std::vector<Item> items;
  std::vector<Rule> rules;
  std::vector<UnorderedRule> unordered;
  int32_t start = 0;  // A rule.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_NETWORK_H_
