#include "logitchain/processors/sequence_breakers.h"

#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

void SequenceBreakers::Add(std::vector<TokenId> sequence) {
  const TokenId last = sequence.back();
  if (sequence.size() == 1) {
    single_.insert(last);
  } else {
    longer_[last].push_back(std::move(sequence));
  }
}

bool SequenceBreakers::AtEndOf(absl::Span<const TokenId> tokens) const {
  if (tokens.empty()) return false;
  if (single_.contains(tokens.back())) return true;
  const auto found = longer_.find(tokens.back());
  if (found == longer_.end()) return false;
  return absl::c_any_of(found->second, [tokens](const std::vector<TokenId>& sequence) {
    return tokens.size() >= sequence.size() &&
           absl::c_equal(tokens.last(sequence.size()), sequence);
  });
}

}  // namespace logitchain
