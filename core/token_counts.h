#ifndef LOGITCHAIN_CORE_TOKEN_COUNTS_H_
#define LOGITCHAIN_CORE_TOKEN_COUNTS_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// How often each distinct token occurs in some part of a history. Adding and removing one token
// costs O(1); reading all costs O(distinct tokens).
class TokenCounts {
 public:
  struct Entry {
    TokenId id;
    int32_t count;  // At least 1.
  };

  void Add(TokenId id);

  // `id` must have been added more often than removed.
  void Remove(TokenId id);

  void Clear();

  // 0 if `id` does not occur.
  int32_t count(TokenId id) const;

  // The distinct tokens, in no particular order.
  absl::Span<const Entry> entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
  absl::flat_hash_map<TokenId, int32_t> index_;  // Into entries_.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_TOKEN_COUNTS_H_
