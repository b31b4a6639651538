#ifndef LOGITCHAIN_GRAMMAR_ENGINE_LEXER_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_LEXER_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/grammar/engine/regex_fingerprint.h"
#include "logitchain/grammar/regex/byte_set.h"
#include "logitchain/grammar/regex/regex_arena.h"
#include "logitchain/grammar/vocab/trie_walk.h"

namespace logitchain {

// The DFA of all regular expressions in an arena at once, built as far as it is asked for. A state
// is what is left to match. States from which nothing can match are kDeadState. Not safe for
// threads.
class Lexer {
 public:
  // Expressions keep their ids.
  explicit Lexer(RegexArena arena) : arena_(std::move(arena)), fingerprints_(&arena_) {}
  Lexer(const Lexer&) = delete;
  Lexer& operator=(const Lexer&) = delete;

  // The state in which the whole expression is left.
  int32_t StateOf(RegexId regex);

  int32_t Next(int32_t state, uint8_t byte) { return Row(state)[byte]; }

  // The states behind each byte.
  const std::array<int32_t, 256>& Row(int32_t state) {
    if (states_[state].row == nullptr) Expand(state);
    return *states_[state].row;
  }

  // The bytes that may come next.
  ByteSet live_bytes(int32_t state) {
    if (states_[state].row == nullptr) Expand(state);
    return states_[state].live_bytes;
  }

  // Whether the expression may end here.
  bool accepts(int32_t state) const { return states_[state].accepts; }

  // What is left, where that is a repetition with a largest count and something behind it.
  struct Counted {
    RegexId repeated;
    int32_t max;
    RegexId behind;
  };
  std::optional<Counted> CountedAt(int32_t state) const;

  // What is left to match.
  RegexId RegexOf(int32_t state) const { return states_[state].regex; }

  // Names what is left in a way that is the same in every arena.
  RegexFingerprint Fingerprint(int32_t state) { return fingerprints_.Of(states_[state].regex); }

  RegexArena& arena() { return arena_; }

  // ResourceExhausted if the arena became full; what was found since means nothing.
  const absl::Status& status() const { return arena_.status(); }

  // About how many bytes of memory it takes.
  int64_t memory() const;

 private:
  struct State {
    RegexId regex;
    bool accepts;
    ByteSet live_bytes;
    std::unique_ptr<std::array<int32_t, 256>> row;  // Null until it is asked for.
  };

  void Expand(int32_t state);

  RegexArena arena_;
  RegexFingerprints fingerprints_;
  std::vector<State> states_;
  std::vector<int32_t> state_of_;  // By RegexId; kDeadState where there is none yet.
  int64_t rows_ = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_LEXER_H_
