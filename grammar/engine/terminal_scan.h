#ifndef LOGITCHAIN_GRAMMAR_ENGINE_TERMINAL_SCAN_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_TERMINAL_SCAN_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "logitchain/core/token_id.h"
#include "logitchain/grammar/engine/lexer.h"
#include "logitchain/grammar/engine/terminal_tokens.h"
#include "logitchain/grammar/engine/text_steps.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/vocab/byte_trie.h"
#include "logitchain/grammar/vocab/trie_walk.h"

namespace logitchain {

// Finds the tokens of states of a lexer by walking the index's trie. Where any text characters may
// come, their tokens are taken from the index as they are.
class TerminalScan {
 public:
  // `index` and `lexer` must outlive this.
  TerminalScan(const TokenIndex& index, Lexer& lexer)
      : index_(index), lexer_(lexer), text_steps_(lexer) {}

  // With `wants_exits`, every node is visited that can be reached. Without, a terminal that may end
  // anywhere among text characters has no exits there, and `has_all_exits` says so.
  TerminalTokens Run(int32_t state, bool wants_exits);

  // A state to which most printable characters lead, from which that is a way to find the tokens of
  // this one; kDeadState if there is none.
  int32_t LikelyBase(int32_t state);

  // The same as Run, with what is known of another state: behind bytes that lead from both to one
  // state, the tokens are the same. `base` must have all exits.
  TerminalTokens RunFrom(int32_t state, int32_t base_state, const TerminalTokens& base);

 private:
  struct Range {
    ByteTrie::NodeIndex begin;
    ByteTrie::NodeIndex end;
  };

  // Two states of the lexer at once, of which the second may be kDeadState.
  static TrieWalk::State Pair(int32_t state, int32_t base_state) {
    return static_cast<int64_t>(state) << 32 | static_cast<uint32_t>(base_state);
  }

  // Adds the tokens of the text trees that need no walk; false if they need one.
  bool TakeKnownTexts(int32_t state);
  void Walk(const ByteTrie::Tree& tree, int32_t state, bool takes_loops);
  void WalkWithBase(const ByteTrie::Tree& tree, int32_t state, int32_t base_state);
  // Allows the tokens of a subtree.
  void TakeSubtree(const ByteTrie::Tree& tree, ByteTrie::NodeIndex node);
  void AddExits(ByteTrie::NodeIndex node);
  // The exits of `base` behind nodes that are in a range.
  void AddExitsInRanges(const TerminalTokens& base);
  void AllowRanges();
  // Bans the tokens from `begin` to `end` that are in no range.
  void BanGaps(ByteTrie::NodeIndex begin, ByteTrie::NodeIndex end);
  TerminalTokens Collect(bool has_all_exits);

  const TokenIndex& index_;
  Lexer& lexer_;
  TextSteps text_steps_;
  TrieWalk walk_;

  // Of one run.
  std::vector<TokenId> ids_;
  std::vector<int32_t> mask_;  // Empty for none; else tokens beside ids_.
  std::vector<Range> ranges_;  // Ascending: what is decided by the text tree or by a base.
  std::vector<std::pair<uint8_t, ByteTrie::NodeIndex>> exits_;
  bool misses_exits_ = false;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_TERMINAL_SCAN_H_
