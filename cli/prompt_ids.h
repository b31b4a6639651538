#ifndef LOGITCHAIN_CLI_PROMPT_IDS_H_
#define LOGITCHAIN_CLI_PROMPT_IDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// The tokens of --prompt_ids: "464,2068", or "@FILE" for a file of ids with commas or whitespace
// between them. An id is at most 2^32 − 1, and in the vocabulary unless the dialect lets others
// pass; errors say which one is not, counted from 0.
absl::StatusOr<std::vector<TokenId>> ReadPromptIds(const std::string& value, const Dialect& dialect,
                                                   int32_t vocab_size);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_PROMPT_IDS_H_
