#include "logitchain/core/decode/text_gate.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/string_view.h"
#include "logitchain/core/decode/utf8.h"

namespace logitchain {

void TextGate::Append(absl::string_view bytes) {
  if (stop_) return;
  for (const char byte : bytes) {
    text_.push_back(byte);
    stop_ = matcher_.Read(byte);
    if (stop_) break;
  }
  if (stop_) {
    text_.resize(text_.size() - stop_->length);
    Close();
  } else {
    showable_ = UndecidedBegin();
  }
}

absl::string_view TextGate::Take() {
  const size_t begin = std::min(taken_, showable_);
  taken_ = std::max(taken_, showable_);
  return absl::string_view(text_).substr(begin, showable_ - begin);
}

size_t TextGate::UndecidedBegin() const {
  const size_t end = text_.size() - (emit_eagerly_ ? 0 : matcher_.pending());
  return end - IncompleteUtf8Tail(absl::string_view(text_).substr(0, end));
}

}  // namespace logitchain
