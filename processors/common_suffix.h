#ifndef LOGITCHAIN_PROCESSORS_COMMON_SUFFIX_H_
#define LOGITCHAIN_PROCESSORS_COMMON_SUFFIX_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Fills lengths[i] with how many of the last tokens of the whole are also the last ones of the
// first i + 1: for "a b c c b c y a b c" it is 0 0 3 1 0 2 0 0 0 10. Costs O(tokens): the
// Z-algorithm (D. Gusfield, "Algorithms on Strings, Trees, and Sequences", 1997, section 1.4),
// backwards.
void CommonSuffixLengths(absl::Span<const TokenId> tokens, std::vector<size_t>& lengths);

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_COMMON_SUFFIX_H_
