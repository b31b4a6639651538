#ifndef LOGITCHAIN_CORE_DECODE_TEXT_GATE_H_
#define LOGITCHAIN_CORE_DECODE_TEXT_GATE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "logitchain/core/decode/stop_string_matcher.h"

namespace logitchain {

// Holds a text that is being generated, ends it at the first stop string, and says which of its
// bytes may be shown already:
//
//   gate.Append(token_bytes);
//   Show(gate.Take());
//
// The first stop string is the one whose last byte comes first. Withheld are
//   - bytes that may turn out to belong to a stop string, unless `emit_eagerly`: no byte of one is
//     ever shown. Eagerly, the beginning of one is shown if it came in an earlier Append than its
//     end; it stays shown although the text is then cut before it.
//   - bytes of a UTF-8 character that is not complete yet, in both modes. Bytes that cannot become
//     a character, whatever follows, are not held for that.
// Once the text has ended, at a stop string or by Close, the rest is let through as it is.
//
// The cost of Append is O(its bytes + longest stop string), not O(text).
class TextGate {
 public:
  TextGate(StopStringMatcher matcher, bool emit_eagerly)
      : matcher_(std::move(matcher)), emit_eagerly_(emit_eagerly) {}

  // Adds bytes to the text, up to the first stop string; does nothing behind one. Not after Close.
  void Append(absl::string_view bytes);

  // Ends the text: nothing is withheld any more.
  void Close() { showable_ = text_.size(); }

  // The bytes that may be shown and were not taken before. Valid until the next call of Append.
  absl::string_view Take();

  // The text so far, with what is withheld, and without the stop string and all behind it.
  const std::string& text() const { return text_; }

  // The stop string that ended the text.
  const std::optional<StopMatch>& stop() const { return stop_; }

 private:
  size_t UndecidedBegin() const;

  StopStringMatcher matcher_;
  bool emit_eagerly_;
  std::string text_;
  std::optional<StopMatch> stop_;
  size_t showable_ = 0;  // Bytes of the text before here may be shown.
  size_t taken_ = 0;     // Bytes before here were; may lie behind a cut.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DECODE_TEXT_GATE_H_
