#include "logitchain/grammar/engine/look_ahead.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "logitchain/core/token_id.h"
#include "logitchain/grammar/engine/packed_tokens.h"
#include "logitchain/grammar/engine/parser.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/vocab/byte_trie.h"
#include "logitchain/grammar/vocab/trie_walk.h"

namespace logitchain {
namespace {

// A state that a search has come to, and the place among them of the one that it came from.
struct Reached {
  int32_t state;
  size_t from;
};

}  // namespace

bool LookAhead::CanEnd(int32_t state) {
  if (index_.spells_every_byte() || parser_.accepts(state)) return true;
  const auto known = can_end_.find(state);
  return known == can_end_.end() ? Search(state) : known->second;
}

// Breadth first, as the end is mostly near.
bool LookAhead::Search(int32_t state) {
  const int64_t limit = steps_ + kMaxSteps;
  std::vector<Reached> reached = {{state, 0}};
  absl::flat_hash_set<int32_t> seen = {state};
  bool can_end = false;
  for (size_t i = 0; i < reached.size() && !can_end; ++i) {
    ForEachToken(reached[i].state, [&](ByteTrie::NodeIndex, int32_t behind) {
      const auto known = can_end_.find(behind);
      // What is known not to be completed is gone through all the same: its steps count.
      can_end =
          parser_.accepts(behind) || (known != can_end_.end() && known->second) || steps_ > limit;
      if (!can_end && seen.insert(behind).second) reached.push_back({behind, i});
      return !can_end;
    });
    if (steps_ > limit) can_end = true;
    if (!can_end) continue;
    // So can all states on the way to here.
    for (size_t at = i; at != 0; at = reached[at].from) can_end_[reached[at].state] = true;
    can_end_[state] = true;
  }
  if (!can_end) {
    for (const Reached& dead : reached) can_end_[dead.state] = false;
  }
  return can_end;
}

void LookAhead::Prune(int32_t state, MaskSpan mask) {
  if (index_.spells_every_byte()) return;
  std::vector<std::pair<ByteTrie::NodeIndex, int32_t>> ends;
  ForEachToken(state, [&](ByteTrie::NodeIndex node, int32_t behind) {
    ends.emplace_back(node, behind);
    return true;
  });
  for (const auto& [node, behind] : ends) {
    if (CanEnd(behind)) continue;
    for (const TokenId id : index_.trie().tokens(node)) BanToken(id, mask);
  }
}

void LookAhead::ForEachToken(
    int32_t state, absl::FunctionRef<bool(ByteTrie::NodeIndex node, int32_t behind)> visit) {
  const ByteTrie& trie = index_.trie();
  bool goes_on = true;
  for (const ByteTrie::Tree* tree :
       {&index_.text_tree(), &index_.long_text_tree(), &index_.rest_tree()}) {
    walk_.Run(
        trie, tree->begin, tree->end, state,
        [&](int32_t at, uint8_t byte) {
          if (!goes_on) return kDeadState;
          const int32_t behind = parser_.Next(at, byte);
          if (behind != kDeadState) ++steps_;
          return behind;
        },
        [&](ByteTrie::NodeIndex node, int32_t behind) {
          if (!trie.tokens(node).empty()) goes_on = visit(node, behind);
          return goes_on;
        });
  }
}

}  // namespace logitchain
