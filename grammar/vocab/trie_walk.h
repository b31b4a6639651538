#ifndef LOGITCHAIN_GRAMMAR_VOCAB_TRIE_WALK_H_
#define LOGITCHAIN_GRAMMAR_VOCAB_TRIE_WALK_H_

#include <cstdint>
#include <vector>

#include "logitchain/grammar/vocab/byte_trie.h"

namespace logitchain {

// The state of an automaton that has no way on. Others are not negative.
inline constexpr int32_t kDeadState = -1;

// Walks tries with automata. Keeps its memory from one walk to the next.
class TrieWalk {
 public:
  // Of one automaton, or of two at once.
  using State = int64_t;

  // Goes through the siblings from `begin` up to `end`, and their subtrees, with an automaton that
  // is in `state` before them. `next(state, byte)` gives the state behind a byte, or kDeadState;
  // `visit(node, state)` is called for each node that is reached alive, and says whether to go on
  // below it.
  template <typename Next, typename Visit>
  void Run(const ByteTrie& trie, ByteTrie::NodeIndex begin, ByteTrie::NodeIndex end, State state,
           Next next, Visit visit) {
    levels_.clear();
    ByteTrie::NodeIndex node = begin;
    while (true) {
      while (node == end) {
        if (levels_.empty()) return;
        end = levels_.back().end;
        state = levels_.back().state;
        levels_.pop_back();
      }
      const State below = next(state, trie.byte(node));
      if (below == kDeadState || !visit(node, below) || !trie.has_children(node)) {
        node = trie.end(node);
        continue;
      }
      levels_.push_back({end, state});
      end = trie.end(node);
      state = below;
      ++node;
    }
  }

 private:
  // Siblings to go on with when a subtree is done.
  struct Level {
    ByteTrie::NodeIndex end;
    State state;
  };

  std::vector<Level> levels_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_VOCAB_TRIE_WALK_H_
