#include "logitchain/core/token_history.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

TokenHistory::CountsId TokenHistory::Track(TokenScope scope) {
  const auto same = std::find_if(tracked_.begin(), tracked_.end(),
                                 [&](const Tracked& tracked) { return tracked.scope == scope; });
  const CountsId id(same - tracked_.begin());
  if (same == tracked_.end()) tracked_.push_back({scope, {}});
  return id;
}

void TokenHistory::Reset(absl::Span<const TokenId> prompt) {
  tokens_.clear();
  for (Tracked& tracked : tracked_) tracked.counts.Clear();
  for (const TokenId id : prompt) Push(id, /*is_output=*/false);
  prompt_size_ = prompt.size();
}

void TokenHistory::Append(TokenId id) { Push(id, /*is_output=*/true); }

void TokenHistory::DropLast() {
  const size_t end = tokens_.size() - 1;
  for (auto& [scope, counts] : tracked_) {
    if (IsSkipped(scope, end)) continue;
    counts.Remove(tokens_[end]);
    if (HasLeaver(scope, end)) counts.Add(tokens_[end - scope.last]);
  }
  tokens_.pop_back();
}

absl::Span<const TokenId> TokenHistory::Last(int32_t n) const {
  return all().last(std::min<size_t>(n, tokens_.size()));
}

void TokenHistory::Push(TokenId id, bool is_output) {
  const size_t end = tokens_.size();
  for (auto& [scope, counts] : tracked_) {
    if (IsSkipped(scope, end) || (scope.output_only && !is_output)) continue;
    counts.Add(id);
    if (HasLeaver(scope, end)) counts.Remove(tokens_[end - scope.last]);
  }
  tokens_.push_back(id);
}

bool TokenHistory::HasLeaver(const TokenScope& scope, size_t end) const {
  const size_t begin = std::max<size_t>(scope.output_only ? prompt_size_ : 0, scope.skip);
  return end - begin >= static_cast<size_t>(scope.last);
}

}  // namespace logitchain
