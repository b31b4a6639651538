#ifndef LOGITCHAIN_GRAMMAR_ENGINE_LOOK_AHEAD_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_LOOK_AHEAD_H_

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "logitchain/grammar/engine/packed_tokens.h"
#include "logitchain/grammar/engine/parser.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/vocab/byte_trie.h"
#include "logitchain/grammar/vocab/trie_walk.h"

namespace logitchain {

// Finds the states of a parser from which the tokens of a vocabulary cannot complete the text,
// although bytes could: behind "no" of "none", say, where "none" is a token and "ne" is not. A
// vocabulary that spells every byte has none of them, and costs nothing here. Not safe for threads.
class LookAhead {
 public:
  // A search goes on for so many bytes of tokens that may come, and then takes the state for one
  // that can be completed. What it answers does not depend on what was asked before.
  static constexpr int64_t kMaxSteps = 1 << 10;

  // Both must outlive this.
  LookAhead(const TokenIndex& index, Parser& parser) : index_(index), parser_(parser) {}

  // Whether tokens can complete the text. The answer is true only if the parser's status is OK
  // afterwards.
  bool CanEnd(int32_t state);

  // Bans those of the tokens that may come at the state behind which the text cannot be completed.
  void Prune(int32_t state, MaskSpan mask);

 private:
  bool Search(int32_t state);
  // Calls `visit` with each node in which a token ends that may come at the state, and the state
  // behind it, until it returns false.
  void ForEachToken(int32_t state,
                    absl::FunctionRef<bool(ByteTrie::NodeIndex node, int32_t behind)> visit);

  const TokenIndex& index_;
  Parser& parser_;
  TrieWalk walk_;
  int64_t steps_ = 0;  // Of all walks.
  absl::flat_hash_map<int32_t, bool> can_end_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_LOOK_AHEAD_H_
