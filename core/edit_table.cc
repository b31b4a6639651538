#include "logitchain/core/edit_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "logitchain/core/token_id.h"

namespace logitchain {
namespace {

constexpr size_t kFirstSize = 256;
constexpr int32_t kEmpty = -1;

// Fibonacci hashing: neighbouring ids go far apart, and the top bits are the well mixed ones.
uint32_t Hash(TokenId id) { return static_cast<uint32_t>(id) * 0x9E3779B1u; }

}  // namespace

bool EditTable::Set(TokenId id, double logit) {
  if (2 * (edits_.size() + 1) > slots_.size()) Grow();
  const uint32_t slot = SlotOf(id);
  if (slots_[slot] != kEmpty) {
    edits_[slots_[slot]].logit = logit;
    return false;
  }
  slots_[slot] = static_cast<int32_t>(edits_.size());
  edits_.push_back({id, slot, logit});
  return true;
}

const double* EditTable::Find(TokenId id) const {
  if (edits_.empty()) return nullptr;
  const int32_t index = slots_[SlotOf(id)];
  return index == kEmpty ? nullptr : &edits_[index].logit;
}

void EditTable::Clear() {
  for (const Edit& edit : edits_) slots_[edit.slot] = kEmpty;
  edits_.clear();
}

uint32_t EditTable::SlotOf(TokenId id) const {
  const auto mask = static_cast<uint32_t>(slots_.size() - 1);
  uint32_t slot = (Hash(id) >> 8) & mask;
  while (slots_[slot] != kEmpty && edits_[slots_[slot]].id != id) slot = (slot + 1) & mask;
  return slot;
}

void EditTable::Grow() {
  slots_.assign(std::max(kFirstSize, 2 * slots_.size()), kEmpty);
  for (size_t i = 0; i < edits_.size(); ++i) {
    edits_[i].slot = SlotOf(edits_[i].id);
    slots_[edits_[i].slot] = static_cast<int32_t>(i);
  }
}

}  // namespace logitchain
