#ifndef LOGITCHAIN_PROCESSORS_FOLLOWERS_H_
#define LOGITCHAIN_PROCESSORS_FOLLOWERS_H_

#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// The tokens that follow an occurrence of `pattern` in `text`, one for each occurrence, which may
// overlap; an empty pattern stands before every token. Costs O(text + pattern): D. E. Knuth, J. H.
// Morris, V. R. Pratt, "Fast Pattern Matching in Strings" (1977).
std::vector<TokenId> Followers(absl::Span<const TokenId> text, absl::Span<const TokenId> pattern);

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_FOLLOWERS_H_
