#include "logitchain/grammar/engine/text_steps.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "logitchain/grammar/engine/lexer.h"
#include "logitchain/grammar/engine/text_characters.h"
#include "logitchain/grammar/regex/byte_set.h"
#include "logitchain/grammar/vocab/trie_walk.h"

namespace logitchain {
namespace {

// Larger sets of states are not worth to follow.
constexpr size_t kMaxTargets = 4;
constexpr size_t kMaxLoop = 8;

// Whether a text character may begin with one of the bytes.
bool TakesTextBytes(const ByteSet& bytes) {
  return absl::c_any_of(TextCharacterForms(), [&](absl::Span<const ByteInterval> form) {
    return !(bytes & ByteSet::Range(form[0].first, form[0].last)).empty();
  });
}

bool AddDistinct(int32_t state, std::vector<int32_t>& states) {
  if (absl::c_linear_search(states, state)) return false;
  states.push_back(state);
  return true;
}

}  // namespace

const TextSteps::Step& TextSteps::StepFrom(int32_t state) {
  const auto known = steps_.find(state);
  if (known != steps_.end()) return known->second;
  Step step = ComputeStep(state);
  return steps_.emplace(state, std::move(step)).first->second;
}

std::vector<int32_t> TextSteps::Follow(absl::Span<const ByteInterval> form, int32_t state,
                                       bool& accepts) {
  std::vector<int32_t> states = {state};
  for (const ByteInterval& interval : form) {
    std::vector<int32_t> next;
    for (const int32_t from : states) {
      if (from == kDeadState) {
        AddDistinct(kDeadState, next);
        continue;
      }
      const auto& row = lexer_.Row(from);
      for (int byte = interval.first; byte <= interval.last; ++byte) {
        if (byte > interval.first && row[byte] == row[byte - 1]) continue;
        if (AddDistinct(row[byte], next) && row[byte] != kDeadState) {
          accepts = accepts || lexer_.accepts(row[byte]);
        }
      }
      if (next.size() > kMaxTargets) break;
    }
    states = std::move(next);
  }
  return states;
}

TextSteps::Step TextSteps::ComputeStep(int32_t state) {
  Step step;
  for (const absl::Span<const ByteInterval> form : TextCharacterForms()) {
    for (const int32_t target : Follow(form, state, step.accepts)) {
      AddDistinct(target, step.targets);
    }
    const bool is_over =
        step.targets.size() > kMaxTargets ||
        (step.targets.size() > 1 && absl::c_linear_search(step.targets, kDeadState));
    if (is_over) {
      step.targets = {kDeadState, state};  // Some may not come.
      return step;
    }
  }
  return step;
}

ByteClasses TextSteps::ComputeSilentClasses(int32_t state) {
  if (lexer_.accepts(state)) return 0;
  const std::array<int32_t, 256>& row = lexer_.Row(state);
  ByteClasses others = 0;
  for (int byte = 0; byte < 0x80; ++byte) {
    if (row[byte] != state) others |= kClassOfByte[byte];
  }
  bool accepts = false;
  for (const absl::Span<const ByteInterval> form : TextCharacterForms()) {
    if (form.size() == 1 || (others & kNoAscii) != 0) continue;
    const bool may_come = row[form[0].first] != kDeadState;
    if (!may_come || Follow(form, state, accepts) != std::vector<int32_t>{state} || accepts) {
      others |= kNoAscii;
    }
  }
  return ~others & kAllByteClasses;
}

TextSteps::Loop TextSteps::ComputeLoop(int32_t state) {
  // Most states are told apart by this alone.
  if (!lexer_.live_bytes(state).Contains(' ') || !lexer_.live_bytes(state).Contains(0xF1)) {
    return Loop::kNone;
  }
  if (lexer_.CountedAt(state)) return Loop::kNone;
  std::vector<int32_t> states = {state};
  bool accepts = false;
  for (size_t i = 0; i < states.size(); ++i) {
    const Step& step = StepFrom(states[i]);
    accepts = accepts || step.accepts;
    for (const int32_t target : step.targets) {
      if (target == kDeadState) return Loop::kNone;
      if (AddDistinct(target, states) && states.size() > kMaxLoop) return Loop::kNone;
    }
  }
  return accepts ? Loop::kAccepting : Loop::kSilent;
}

// One step tells how all go on if it leads to the same repetition with one time less, and text
// characters are not among what comes behind the repetition.
std::optional<TextSteps::Run> TextSteps::CountedRunAt(int32_t state, int limit) {
  const std::optional<Lexer::Counted> counted = lexer_.CountedAt(state);
  if (!counted) return std::nullopt;
  const Step& step = StepFrom(state);
  if (step.targets.size() != 1 || step.targets[0] == kDeadState || step.accepts) {
    return std::nullopt;
  }
  if (counted->max > 1) {
    const std::optional<Lexer::Counted> next = lexer_.CountedAt(step.targets[0]);
    if (!next || next->repeated != counted->repeated || next->max != counted->max - 1 ||
        next->behind != counted->behind) {
      return std::nullopt;
    }
  }
  const int32_t behind = lexer_.StateOf(counted->behind);
  if (lexer_.accepts(behind) || TakesTextBytes(lexer_.live_bytes(behind))) return std::nullopt;
  return Run{.length = std::min(counted->max, limit)};
}

std::optional<TextSteps::Run> TextSteps::RunAt(int32_t state, int limit) {
  if (const std::optional<Run> run = CountedRunAt(state, limit)) return run;
  Run run;
  while (true) {
    const Step& step = StepFrom(state);
    if (step.targets.size() != 1) return std::nullopt;
    if (step.targets[0] == kDeadState) return run;
    if (run.length == limit) return run;
    run.accepts = run.accepts || step.accepts;
    ++run.length;
    state = step.targets[0];
  }
}

}  // namespace logitchain
