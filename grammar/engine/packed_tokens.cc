#include "logitchain/grammar/engine/packed_tokens.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "logitchain/core/token_id.h"

namespace logitchain {

PackedTokens::PackedTokens(std::vector<TokenId> ids, size_t words) {
  if (!AreMany(ids.size(), words)) {
    ids_ = std::move(ids);
    return;
  }
  words_.resize(words);
  AllowTokens(ids, absl::MakeSpan(words_));
}

PackedTokens::PackedTokens(std::vector<int32_t> mask) : words_(std::move(mask)) {}

}  // namespace logitchain
