#ifndef LOGITCHAIN_CORE_DECODE_DECODE_OPTIONS_H_
#define LOGITCHAIN_CORE_DECODE_DECODE_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// When a text ends, and how it is handed out.
struct DecodeOptions {
  // Tokens that end the text, in any order. Unset: the model's stop_ids(). Empty: none.
  std::optional<std::vector<TokenId>> stop_tokens;

  // Bytes that end the text, wherever they come in it: across tokens, or in the middle of a
  // character. None may be empty. See TextGate for what is shown meanwhile.
  std::vector<std::string> stop_strings;

  // The most tokens to draw, 0 to kMaxHistory. At 0 the model is not asked at all.
  int32_t max_tokens = 128;

  // The stop tokens are removed, before any rule of the chain runs, while the output has fewer
  // tokens; 0 to max_tokens. Stop strings are text that the reader must not see, and end it at any
  // length.
  int32_t min_tokens = 0;

  // Show bytes at once, even if they may turn out to belong to a stop string.
  bool emit_eagerly = false;

  // Keep a TokenRecord for each token of the output.
  bool keep_records = false;
};

// InvalidArgument that names the option, unless all but stop_strings have values in range.
// StopStringMatcher checks those.
absl::Status CheckDecodeOptions(const DecodeOptions& options, int32_t vocab_size);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DECODE_DECODE_OPTIONS_H_
