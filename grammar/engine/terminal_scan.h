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

 private:
  struct Range {
    ByteTrie::NodeIndex begin;
    ByteTrie::NodeIndex end;
  };

  // Adds the tokens of the text trees that need no walk; false if they need one.
  bool TakeKnownTexts(int32_t state);
  void Walk(const ByteTrie::Tree& tree, int32_t state, bool takes_loops);
  void AddExits(ByteTrie::NodeIndex node);
  void AllowRanges();
  TerminalTokens Collect(bool has_all_exits);

  const TokenIndex& index_;
  Lexer& lexer_;
  TextSteps text_steps_;
  TrieWalk walk_;

  // Of one run.
  std::vector<TokenId> ids_;
  std::vector<int32_t> mask_;  // Empty for none; else tokens beside ids_.
  std::vector<Range> ranges_;  // Of the text tree, whose tokens are all allowed.
  std::vector<std::pair<uint8_t, ByteTrie::NodeIndex>> exits_;
  bool misses_exits_ = false;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_TERMINAL_SCAN_H_
