#include "logitchain/grammar/engine/return_sets.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace logitchain {

ReturnSets::ReturnSets() {
  returns_.push_back({.item = kEndOfText, .parent = kBottom});
  sets_.push_back({.begin = 0, .size = 1});
}

int32_t ReturnSets::Intern(absl::Span<const std::vector<Return>> group) {
  key_.clear();
  for (const std::vector<Return>& set : group) {
    key_.push_back(static_cast<int32_t>(set.size()));
    for (const Return& entry : set) key_.insert(key_.end(), {entry.item, entry.parent});
  }
  const int32_t first = static_cast<int32_t>(sets_.size());
  const auto [known, is_new] = ids_.try_emplace(key_, first);
  if (!is_new) return known->second;
  memory_ += static_cast<int64_t>(2 * key_.size() * sizeof(int32_t) + 100);
  for (const std::vector<Return>& set : group) {
    sets_.push_back({.begin = returns_.size(), .size = set.size()});
    for (const Return& entry : set) {
      const bool is_in_group = entry.parent < 0;
      returns_.push_back({entry.item, is_in_group ? first - 1 - entry.parent : entry.parent});
    }
  }
  return first;
}

int32_t ReturnSets::Union(absl::Span<const int32_t> sets) {
  std::vector<Return> all;
  for (const int32_t set : sets) all.insert(all.end(), of(set).begin(), of(set).end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return Intern({all});
}

}  // namespace logitchain
