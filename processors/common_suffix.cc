#include "logitchain/processors/common_suffix.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

void CommonSuffixLengths(absl::Span<const TokenId> tokens, std::vector<size_t>& lengths) {
  const size_t size = tokens.size();
  const auto from_end = [&](size_t k) { return tokens[size - 1 - k]; };
  lengths.assign(size, size);
  // The match [begin, end), counted from the end, that reaches furthest back so far.
  size_t begin = 0;
  size_t end = 0;
  for (size_t k = 1; k < size; ++k) {
    // Inside that match the tokens repeat those at k − begin, whose length is known.
    size_t length = k < end ? std::min(end - k, lengths[size - 1 - (k - begin)]) : 0;
    while (k + length < size && from_end(length) == from_end(k + length)) ++length;
    lengths[size - 1 - k] = length;
    if (k + length > end) {
      begin = k;
      end = k + length;
    }
  }
}

}  // namespace logitchain
