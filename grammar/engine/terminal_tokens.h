#ifndef LOGITCHAIN_GRAMMAR_ENGINE_TERMINAL_TOKENS_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_TERMINAL_TOKENS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/grammar/engine/packed_tokens.h"
#include "logitchain/grammar/regex/byte_set.h"
#include "logitchain/grammar/vocab/byte_trie.h"

namespace logitchain {

// What becomes of a vocabulary's tokens where a terminal is half read, whatever stands around the
// terminal: these may be shared by all grammars that have it.
struct TerminalTokens {
  // Where the terminal has ended within a token: the nodes behind, by their byte, in the index's
  // trie. The byte and the rest of the token are for what comes behind the terminal.
  struct Exit {
    uint8_t byte;
    uint32_t begin;  // Into exit_nodes.
    uint32_t end;
  };

  // Tokens that can be read wholly within the terminal.
  PackedTokens inside;
  // Whether the following members are complete; they are empty otherwise.
  bool has_all_exits = true;
  std::vector<Exit> exits;  // By byte, ascending.
  ByteSet exit_bytes;
  std::vector<ByteTrie::NodeIndex> exit_nodes;

  int64_t memory() const {
    return static_cast<int64_t>(sizeof(*this) + exits.size() * sizeof(Exit) +
                                exit_nodes.size() * sizeof(ByteTrie::NodeIndex)) +
           inside.memory();
  }
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_TERMINAL_TOKENS_H_
