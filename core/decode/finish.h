#ifndef LOGITCHAIN_CORE_DECODE_FINISH_H_
#define LOGITCHAIN_CORE_DECODE_FINISH_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Why a text ended.
enum class FinishReason {
  // A stop token was drawn.
  kStopToken,

  // The text came to hold a stop string.
  kStopString,

  // The output reached max_tokens.
  kLength,

  // A stop token was drawn at a step at which the chain's masks had left nothing but stop tokens
  // of what the model offered: a grammar allows that when the text is complete and cannot go on.
  // A grammar that allows nothing at all is an error of the chain.
  kGrammarEnd,

  // The model or the chain failed.
  kError,
};

// "stop_token", "stop_string", "length", "grammar_end" or "error".
absl::string_view FinishReasonName(FinishReason reason);

// How a text ended.
struct Finish {
  FinishReason reason;
  // With kStopToken and kGrammarEnd: the token.
  std::optional<TokenId> stop_token;
  // With kStopString: the string.
  std::string stop_string;
  // With kError: what failed, at which step (counted from 0); else OK.
  absl::Status status;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DECODE_FINISH_H_
