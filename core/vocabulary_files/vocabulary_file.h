#ifndef LOGITCHAIN_CORE_VOCABULARY_FILES_VOCABULARY_FILE_H_
#define LOGITCHAIN_CORE_VOCABULARY_FILES_VOCABULARY_FILE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"

namespace logitchain {

// What a vocabulary's file does not say, or not clearly.
struct VocabularyFileOptions {
  // Texts of the tokens that end a text. Empty stands for the usual ones, as far as the file has
  // them: those of Llama, Qwen, GPT, Gemma, Mistral and Phi.
  std::vector<std::string> stop_tokens;
  // Ids of further tokens that end a text. They may lie behind the file's own, as those of tiktoken
  // do, where special tokens are not in the file.
  std::vector<TokenId> stop_ids;
};

// Reads a vocabulary from a file of at most kMaxVocabularyFileSize bytes:
//   - tiktoken: lines of a token's bytes in base64, a space, and its id;
//   - Hugging Face tokenizer.json with a BPE model, of byte-level tokens (GPT-2, Llama 3, Qwen) or
//     with byte fallback (Llama 2, Gemma), and its added tokens.
// Which one it is, its first character says. Ids that the file leaves out are special tokens.
// Errors begin with the path and, for tiktoken, the line; for tokenizer.json they have the JSON
// pointer of what is wrong.
absl::StatusOr<std::shared_ptr<const Vocabulary>> ReadVocabularyFile(
    const std::string& path, const VocabularyFileOptions& options = {});

inline constexpr int64_t kMaxVocabularyFileSize = int64_t{256} << 20;

// The same, of a file's content; errors have no path.
absl::StatusOr<std::shared_ptr<const Vocabulary>> ParseVocabulary(
    absl::string_view content, const VocabularyFileOptions& options = {});

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_VOCABULARY_FILES_VOCABULARY_FILE_H_
