#include "logitchain/core/decode/finish.h"

#include "absl/strings/string_view.h"

namespace logitchain {

absl::string_view FinishReasonName(FinishReason reason) {
  switch (reason) {
    case FinishReason::kStopToken:
      return "stop_token";
    case FinishReason::kStopString:
      return "stop_string";
    case FinishReason::kLength:
      return "length";
    case FinishReason::kGrammarEnd:
      return "grammar_end";
    case FinishReason::kError:
      break;
  }
  return "error";
}

}  // namespace logitchain
