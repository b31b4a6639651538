#ifndef LOGITCHAIN_CORE_VOCABULARY_FILES_TIKTOKEN_H_
#define LOGITCHAIN_CORE_VOCABULARY_FILES_TIKTOKEN_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/vocabulary_files/file_tokens.h"

namespace logitchain {

// The tokens of a tiktoken file: lines of base64, a space, and the id. Errors begin with the line.
absl::StatusOr<FileTokens> ParseTiktoken(absl::string_view content);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_VOCABULARY_FILES_TIKTOKEN_H_
