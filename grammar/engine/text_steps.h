#ifndef LOGITCHAIN_GRAMMAR_ENGINE_TEXT_STEPS_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_TEXT_STEPS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "logitchain/grammar/engine/lexer.h"
#include "logitchain/grammar/engine/text_characters.h"
#include "logitchain/grammar/vocab/byte_classes.h"

namespace logitchain {

// Where the states of a lexer come to over text characters (text_characters.h), whichever they are.
class TextSteps {
 public:
  enum class Loop : int8_t {
    kNone,       // Not every text of text characters may come.
    kSilent,     // Every one may come, and the expression ends nowhere within them.
    kAccepting,  // Every one may come, and the expression may end within one.
  };

  // How many text characters may come.
  struct Run {
    // Any text of so many may come, and none of more; more may come too if it is the limit.
    int length = 0;
    // The expression may end within it.
    bool accepts = false;
  };

  // `lexer` must outlive this.
  explicit TextSteps(Lexer& lexer) : lexer_(lexer) {}

  Loop LoopAt(int32_t state) {
    if (static_cast<size_t>(state) >= loops_.size()) loops_.resize(state + 1, kUnknownLoop);
    if (loops_[state] == kUnknownLoop) loops_[state] = static_cast<int8_t>(ComputeLoop(state));
    return static_cast<Loop>(loops_[state]);
  }

  // The classes of bytes that lead from a state back to it, without that the expression may end
  // there. Those of kNoAscii do so where they make characters.
  ByteClasses SilentClassesAt(int32_t state) {
    if (static_cast<size_t>(state) >= silent_classes_.size()) {
      silent_classes_.resize(state + 1, kUnknownClasses);
    }
    if (silent_classes_[state] == kUnknownClasses) {
      silent_classes_[state] = ComputeSilentClasses(state);
    }
    return silent_classes_[state];
  }

  // nullopt if it depends on the characters how many may come.
  std::optional<Run> RunAt(int32_t state, int limit);

 private:
  static constexpr int8_t kUnknownLoop = -1;
  static constexpr ByteClasses kUnknownClasses = ~ByteClasses{0};

  // The states behind any one text character; kDeadState among them stands for some that may not
  // come.
  struct Step {
    std::vector<int32_t> targets;
    bool accepts = false;  // Within a character, or behind it.
  };

  std::optional<Run> CountedRunAt(int32_t state, int limit);
  const Step& StepFrom(int32_t state);
  Step ComputeStep(int32_t state);
  // The states behind the characters of a form; also sets whether the expression may end there.
  std::vector<int32_t> Follow(absl::Span<const ByteInterval> form, int32_t state, bool& accepts);
  ByteClasses ComputeSilentClasses(int32_t state);
  Loop ComputeLoop(int32_t state);

  Lexer& lexer_;
  absl::flat_hash_map<int32_t, Step> steps_;
  std::vector<int8_t> loops_;  // By state; kUnknownLoop for none.
  std::vector<ByteClasses> silent_classes_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_TEXT_STEPS_H_
