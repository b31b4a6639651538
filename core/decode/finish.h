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

  // The text is complete by a grammar and cannot go on: the chain's masks left nothing but stop
  // tokens of what the model offered, and one was drawn; or they left nothing, because no token
  // stands for the end. A grammar that allows nothing within a text is an error of the chain.
  kGrammarEnd,

  // The model or the chain failed.
  kError,
};

// "stop_token", "stop_string", "length", "grammar_end" or "error".
absl::string_view FinishReasonName(FinishReason reason);

// How a text ended.
struct Finish {
  FinishReason reason;
  // With kStopToken: the token. With kGrammarEnd: the token, if there was one.
  std::optional<TokenId> stop_token;
  // With kStopString: the string.
  std::string stop_string;
  // With kError: what failed, at which step (counted from 0); else OK.
  absl::Status status;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DECODE_FINISH_H_
