#include "logitchain/grammar/engine/lexer.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "logitchain/grammar/engine/for_each_byte.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

int32_t Lexer::StateOf(RegexId regex) {
  if (arena_.IsNothing(regex)) return kDeadState;
  if (state_of_.size() <= static_cast<size_t>(regex)) state_of_.resize(regex + 1, kDeadState);
  if (state_of_[regex] == kDeadState) {
    state_of_[regex] = static_cast<int32_t>(states_.size());
    states_.push_back({.regex = regex, .accepts = arena_.MatchesEmpty(regex)});
  }
  return state_of_[regex];
}

void Lexer::Expand(int32_t state) {
  auto row = std::make_unique<std::array<int32_t, 256>>();
  row->fill(kDeadState);
  ByteSet live_bytes;
  for (const RegexArena::Transition& transition : arena_.Transitions(states_[state].regex)) {
    const int32_t target = StateOf(transition.target);
    if (target == kDeadState) continue;
    live_bytes |= transition.bytes;
    ForEachByte(transition.bytes, [&](uint8_t byte) { (*row)[byte] = target; });
  }
  states_[state].live_bytes = live_bytes;
  states_[state].row = std::move(row);
  ++rows_;
}

std::optional<Lexer::Counted> Lexer::CountedAt(int32_t state) const {
  const RegexId regex = states_[state].regex;
  if (arena_.kind(regex) != RegexArena::Kind::kConcat) return std::nullopt;
  const RegexId head = arena_.operand(regex);
  if (arena_.kind(head) != RegexArena::Kind::kRepeat || arena_.max(head) == kUnbounded) {
    return std::nullopt;
  }
  return Counted{
      .repeated = arena_.operand(head), .max = arena_.max(head), .behind = arena_.tail(regex)};
}

int64_t Lexer::memory() const {
  constexpr int64_t kBytesPerExpression = 100;
  return rows_ * static_cast<int64_t>(sizeof(std::array<int32_t, 256>)) +
         static_cast<int64_t>(states_.size() * sizeof(State)) + arena_.size() * kBytesPerExpression;
}

}  // namespace logitchain
