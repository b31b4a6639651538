#ifndef LOGITCHAIN_PROCESSORS_TOKEN_BITMASK_H_
#define LOGITCHAIN_PROCESSORS_TOKEN_BITMASK_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/kernels/scan.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Makes `words` the mask that allows just these ids, as CandidateSelector::KeepAllowed takes it.
// Ids are in the vocabulary.
inline void AllowOnly(absl::Span<const TokenId> ids, int32_t vocab_size,
                      std::vector<int32_t>& words) {
  words.assign(WordCount(vocab_size), 0);
  for (const TokenId id : ids) words[id / 32] |= static_cast<int32_t>(uint32_t{1} << (id % 32));
}

// Takes the ids out of such a mask.
inline void BanTokens(absl::Span<const TokenId> ids, std::vector<int32_t>& words) {
  for (const TokenId id : ids) words[id / 32] &= static_cast<int32_t>(~(uint32_t{1} << (id % 32)));
}

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_TOKEN_BITMASK_H_
