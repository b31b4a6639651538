#ifndef LOGITCHAIN_GRAMMAR_ENGINE_PACKED_TOKENS_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_PACKED_TOKENS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// A mask as TokenMaskProvider fills it, or a part of one.
using MaskSpan = absl::Span<int32_t>;

inline void AllowToken(TokenId id, MaskSpan mask) {
  mask[id / 32] |= static_cast<int32_t>(uint32_t{1} << (id % 32));
}

inline void BanToken(TokenId id, MaskSpan mask) {
  mask[id / 32] &= static_cast<int32_t>(~(uint32_t{1} << (id % 32)));
}

inline void AllowTokens(absl::Span<const TokenId> ids, MaskSpan mask) {
  for (const TokenId id : ids) AllowToken(id, mask);
}

// Tokens, in whichever way takes less time to allow them.
class PackedTokens {
 public:
  // Whether so many tokens are worth a mask of their own: a token takes as long as so many words.
  static bool AreMany(size_t count, size_t words) { return kWordsPerToken * count >= words; }

  PackedTokens() = default;
  // Those whose bit is set.
  explicit PackedTokens(std::vector<int32_t> mask);
  // These; `words` is the size of a mask.
  PackedTokens(std::vector<TokenId> ids, size_t words);

  // Allows them, and no others, in a mask that is as long as the one they were taken from.
  void CopyTo(MaskSpan mask) const {
    if (words_.empty()) {
      absl::c_fill(mask, 0);
    } else {
      absl::c_copy(words_, mask.begin());
    }
    AllowTokens(ids_, mask);
  }

  // Allows them in any mask, which is no shorter than the one they were taken from.
  void AddTo(MaskSpan mask) const {
    for (size_t i = 0; i < words_.size(); ++i) mask[i] |= words_[i];
    AllowTokens(ids_, mask);
  }

  int64_t memory() const {
    return static_cast<int64_t>((words_.size() + ids_.size()) * sizeof(int32_t));
  }

 private:
  static constexpr size_t kWordsPerToken = 8;

  std::vector<int32_t> words_;
  std::vector<TokenId> ids_;  // Beside those in words_.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_PACKED_TOKENS_H_
