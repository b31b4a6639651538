#ifndef LOGITCHAIN_CORE_VOCABULARY_FILES_TOKENIZER_JSON_H_
#define LOGITCHAIN_CORE_VOCABULARY_FILES_TOKENIZER_JSON_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/vocabulary_files/file_tokens.h"

namespace logitchain {

// The tokens of a Hugging Face tokenizer.json. Its model must be BPE, and write bytes in one of two
// ways:
//   - byte-level, where each byte is a character of its own (GPT-2's table);
//   - byte fallback, where U+2581 is a space, and <0x0A> a single byte.
// Errors name the JSON pointer.
absl::StatusOr<FileTokens> ParseTokenizerJson(absl::string_view content);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_VOCABULARY_FILES_TOKENIZER_JSON_H_
