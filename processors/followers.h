#ifndef LOGITCHAIN_PROCESSORS_FOLLOWERS_H_
#define LOGITCHAIN_PROCESSORS_FOLLOWERS_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Finds what follows a pattern: D. E. Knuth, J. H. Morris, V. R. Pratt, "Fast Pattern Matching in
// Strings" (1977).
class FollowerFinder {
 public:
  // The tokens that follow an occurrence of `pattern` in `text`, one for each occurrence, which may
  // overlap; an empty pattern stands before every token. Costs O(text + pattern). Valid until the
  // next call.
  absl::Span<const TokenId> Find(absl::Span<const TokenId> text, absl::Span<const TokenId> pattern);

 private:
  // Scratch.
  std::vector<size_t> border_;
  std::vector<TokenId> followers_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_FOLLOWERS_H_
