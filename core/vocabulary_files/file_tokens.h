#ifndef LOGITCHAIN_CORE_VOCABULARY_FILES_FILE_TOKENS_H_
#define LOGITCHAIN_CORE_VOCABULARY_FILES_FILE_TOKENS_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// The tokens of a file.
struct FileTokens {
  // By id; empty for tokens that are no text, and for ids that the file leaves out.
  std::vector<std::string> bytes;
  // Tokens that are no text, by what the file calls them.
  absl::flat_hash_map<std::string, TokenId> special_texts;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_VOCABULARY_FILES_FILE_TOKENS_H_
