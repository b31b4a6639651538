#ifndef LOGITCHAIN_CORE_VOCABULARY_FILES_FILE_TOKENS_H_
#define LOGITCHAIN_CORE_VOCABULARY_FILES_FILE_TOKENS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// How many ids a file may leave out below its largest one. Each takes memory, and there is nothing
// in the file that would limit them.
inline constexpr int64_t kMaxLeftOutIds = int64_t{1} << 16;

// The tokens of a file.
struct FileTokens {
  // By id; empty for tokens that are no text, and for ids that the file leaves out.
  std::vector<std::string> bytes;
  // Tokens that are no text, by what the file calls them.
  absl::flat_hash_map<std::string, TokenId> special_texts;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_VOCABULARY_FILES_FILE_TOKENS_H_
