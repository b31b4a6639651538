#ifndef LOGITCHAIN_GRAMMAR_ENGINE_MASK_BUILDER_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_MASK_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "logitchain/grammar/engine/large_counts.h"
#include "logitchain/grammar/engine/look_ahead.h"
#include "logitchain/grammar/engine/packed_tokens.h"
#include "logitchain/grammar/engine/parser.h"
#include "logitchain/grammar/engine/terminal_scan.h"
#include "logitchain/grammar/engine/terminal_tokens.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/vocab/byte_trie.h"
#include "logitchain/grammar/vocab/trie_walk.h"

namespace logitchain {

// Finds the tokens that may come at a parser's state. Most are decided within the terminals that
// the state is in, by TerminalTokens; what is left are the tokens that go beyond a terminal's end,
// and of those the ones that begin, behind it, with a byte that may come there. Not safe for
// threads.
class MaskBuilder {
 public:
  // All must outlive this.
  MaskBuilder(const TokenIndex& index, Parser& parser, LookAhead& look_ahead)
      : index_(index),
        parser_(parser),
        look_ahead_(look_ahead),
        scan_(index, parser.lexer()),
        large_counts_(index.longest_token(), parser.lexer().arena()) {}

  // Makes a mask of index.mask_words() words the tokens that may come. What it finds is true only
  // if the parser's status is OK afterwards.
  void Fill(int32_t state, MaskSpan mask);

 private:
  using Tokens = std::shared_ptr<const TerminalTokens>;

  void Find(int32_t state, MaskSpan mask);
  const TerminalTokens& TokensOf(int32_t lexer_state);
  Tokens FindTokens(int32_t lexer_state);
  // A state with the same tokens, which more states share.
  int32_t Representative(int32_t lexer_state);
  TerminalTokens Scan(int32_t lexer_state);
  void FindExits(int32_t lexer_state);
  void AddExits(int32_t lexer_state, int32_t behind, MaskSpan mask);
  // Number of nodes that have to be visited for the exits to a state.
  int64_t ExitCount(int32_t lexer_state, int32_t behind);
  void WalkFrom(ByteTrie::NodeIndex node, int32_t at, MaskSpan mask);
  void WalkAll(int32_t state, MaskSpan mask);
  void Remember(int32_t state, MaskSpan mask);

  const TokenIndex& index_;
  Parser& parser_;
  LookAhead& look_ahead_;
  TerminalScan scan_;
  LargeCounts large_counts_;
  TrieWalk walk_;
  std::vector<Tokens> tokens_;  // By state of the lexer; null where they are not known.
  // By state of the parser: an empty set if it was asked for once.
  absl::flat_hash_map<int32_t, std::unique_ptr<const PackedTokens>> masks_;
  int64_t masks_memory_ = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_MASK_BUILDER_H_
