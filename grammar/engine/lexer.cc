#include "logitchain/grammar/engine/lexer.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "logitchain/grammar/engine/for_each_byte.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

bool IsRepeat(RegexId id, const RegexArena& arena) {
  return arena.kind(id) == RegexArena::Kind::kRepeat;
}

// Whether the part, r*, has all that another one matches, r{m,n}.
bool IsImplied(RegexId part, absl::Span<const RegexId> parts, const RegexArena& arena) {
  if (!IsRepeat(part, arena) || arena.min(part) > 0 || arena.max(part) < kUnbounded) return false;
  return absl::c_any_of(parts, [&](RegexId other) {
    return other != part && IsRepeat(other, arena) && arena.operand(other) == arena.operand(part);
  });
}

// The same without needless parts of an intersection that stands first. Strings with a largest
// length come as such, and keep their many states simple that way.
RegexId Simplified(RegexId id, RegexArena& arena) {
  if (arena.kind(id) == RegexArena::Kind::kConcat) {
    const RegexId tail = arena.tail(id);
    const RegexId head = arena.operand(id);
    const RegexId simple = Simplified(head, arena);
    return simple == head ? id : arena.Concat(simple, tail);
  }
  if (arena.kind(id) != RegexArena::Kind::kBoth) return id;
  const absl::Span<const RegexId> parts = arena.operands(id);
  std::vector<RegexId> needed;
  for (const RegexId part : parts) {
    if (!IsImplied(part, parts, arena)) needed.push_back(part);
  }
  return needed.size() == parts.size() ? id : arena.Both(needed);
}

}  // namespace

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
    const int32_t target = StateOf(Simplified(transition.target, arena_));
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
