#include "logitchain/core/token_counts.h"

#include <cstdint>

#include "logitchain/core/token_id.h"

namespace logitchain {

void TokenCounts::Add(TokenId id) {
  const auto [it, is_new] = index_.try_emplace(id, static_cast<int32_t>(entries_.size()));
  if (is_new) {
    entries_.push_back({id, 1});
  } else {
    ++entries_[it->second].count;
  }
}

void TokenCounts::Remove(TokenId id) {
  const auto it = index_.find(id);
  Entry& entry = entries_[it->second];
  if (--entry.count > 0) return;
  entry = entries_.back();
  index_[entry.id] = it->second;
  entries_.pop_back();
  index_.erase(id);
}

void TokenCounts::Clear() {
  entries_.clear();
  index_.clear();
}

int32_t TokenCounts::count(TokenId id) const {
  const auto it = index_.find(id);
  return it == index_.end() ? 0 : entries_[it->second].count;
}

}  // namespace logitchain
