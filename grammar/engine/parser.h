#ifndef LOGITCHAIN_GRAMMAR_ENGINE_PARSER_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_PARSER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/node_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/grammar/engine/closure.h"
#include "logitchain/grammar/engine/items.h"
#include "logitchain/grammar/engine/lexer.h"
#include "logitchain/grammar/engine/network.h"
#include "logitchain/grammar/engine/return_sets.h"
#include "logitchain/grammar/regex/byte_set.h"
#include "logitchain/grammar/vocab/trie_walk.h"

namespace logitchain {

// Recognises a grammar's texts byte by byte: an Earley parser whose states are hash-consed. A state
// is all that the text so far has to say about what may follow, so texts after which the same may
// follow mostly share one, and a step that was made once is a look-up. Every state can be
// completed to a text of the grammar; where nothing can, it is kDeadState. Not safe for threads.
//
// A step costs the number of threads of the state, and of the ways through rules that end and begin
// there. Stacks are merged (ReturnSets), so that ambiguity adds little to that; where too many
// would have to be, it is O(length²) at worst, as with Earley, up to Closure::kMaxSteps.
class Parser {
 public:
  // `network` must outlive this. Once it takes about `max_memory` bytes, `status` is an error.
  Parser(const Network& network, int64_t max_memory);
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // The state before the first byte.
  int32_t start() const { return start_; }

  // The state behind a byte, or kDeadState. Also kDeadState where `status` is not OK.
  int32_t Next(int32_t state, uint8_t byte) {
    if (states_[state].row != nullptr && (*states_[state].row)[byte] != kUnknown) {
      return (*states_[state].row)[byte];
    }
    return Compute(state, byte);
  }

  // The state behind a token, if Follow has found it.
  std::optional<int32_t> Followed(int32_t state, TokenId token) const;
  // The state behind a token's bytes, or kDeadState; also kDeadState where `status` is not OK. The
  // states between its bytes are not made, and need no memory. Asks for every byte, even where
  // Followed knows.
  int32_t Follow(int32_t state, TokenId token, absl::string_view bytes);

  // Whether the text may end here.
  bool accepts(int32_t state) const { return states_[state].accepts; }

  // The bytes that may come next.
  ByteSet live_bytes(int32_t state);

  // Valid as long as this.
  absl::Span<const Thread> threads(int32_t state) const { return states_[state].threads; }

  // The state in which a thread is once its terminal has ended.
  int32_t StateBehind(const Thread& thread);

  Lexer& lexer() { return lexer_; }

  // ResourceExhausted once the parser or its lexer, which others use as well, has become too large.
  // What was found before stays true, and nothing more is found.
  const absl::Status& status() const { return status_.ok() ? lexer_.status() : status_; }

 private:
  static constexpr int32_t kUnknown = -2;

  using Row = std::array<int32_t, 256>;

  struct State {
    absl::Span<const Thread> threads;
    bool accepts = false;
    bool has_live_bytes = false;
    ByteSet live_bytes;
    std::unique_ptr<Row> row;  // The states behind each byte, or kUnknown; null for none known.
  };

  // A state by what is in it.
  struct Content {
    std::vector<Thread> threads;  // Ascending.
    bool accepts = false;

    friend bool operator==(const Content&, const Content&) = default;

    template <typename H>
    friend H AbslHashValue(H hash, const Content& content) {
      for (const Thread& thread : content.threads) {
        hash = H::combine(std::move(hash), thread.lexer_state, thread.item, thread.returns);
      }
      return H::combine(std::move(hash), content.threads.size(), content.accepts);
    }
  };

  int32_t Compute(int32_t state, uint8_t byte);
  int32_t ComputeBehind(int32_t state, absl::string_view bytes);
  // Makes `content` what these threads come to behind a byte.
  void Step(absl::Span<const Thread> threads, uint8_t byte, Content& content);
  // Adds what may come behind terminals that end: their threads.
  void AddBehind(std::vector<Thread>& ended, Content& content);
  // Makes one of threads that differ only in what follows their rule: all of it follows.
  void Merge(std::vector<Thread>& threads);
  // The state with this content, which is merged; kDeadState if there is nothing in it.
  int32_t Intern(Content& content);
  void CheckSize();

  int64_t max_memory_;
  absl::Status status_;
  Lexer lexer_;
  Items items_;
  ReturnSets return_sets_;
  Closure closure_;
  std::vector<State> states_;
  absl::node_hash_map<Content, int32_t> state_ids_;  // States point into its keys.
  absl::flat_hash_map<uint64_t, int32_t> behind_;    // By item and returns.
  absl::flat_hash_map<uint64_t, int32_t> followed_;  // By state and token.
  // Scratch.
  std::vector<Thread> ended_;
  Content content_;
  Content next_content_;
  int64_t memory_ = 0;
  int32_t start_ = kDeadState;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_PARSER_H_
