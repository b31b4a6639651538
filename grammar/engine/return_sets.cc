#include "logitchain/grammar/engine/return_sets.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "logitchain/grammar/engine/components.h"

namespace logitchain {
namespace {

// Of one group. Determinism can cost exponentially many sets; a group that would need more keeps
// several returns to one item.
constexpr size_t kMaxDrafts = 4096;
// Sets that all lead to each other, each of which has a key for all.
constexpr size_t kMaxComponent = 64;

// Ends the keys of groups that are not merged, which other keys do not hold: those end in a parent.
constexpr int32_t kUnmerged = std::numeric_limits<int32_t>::min();

// In a map, besides the key.
constexpr int64_t kBytesPerKey = 60;

using Group = absl::Span<const std::vector<Return>>;

constexpr bool IsInGroup(int32_t parent) { return parent < 0; }
constexpr size_t PlaceOf(int32_t parent) { return static_cast<size_t>(-1 - parent); }

bool HaveSameItem(const Return& a, const Return& b) { return a.item == b.item; }

bool IsMerged(const std::vector<Return>& set) {
  return absl::c_adjacent_find(set, HaveSameItem) == set.end();
}

bool IsInCycle(Group component) {
  return component.size() > 1 ||
         absl::c_any_of(component[0], [](const Return& entry) { return IsInGroup(entry.parent); });
}

void Sort(auto& values) {
  absl::c_sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

void AddToKey(absl::Span<const Return> set, std::vector<int32_t>& key) {
  key.push_back(static_cast<int32_t>(set.size()));
  for (const Return& entry : set) key.insert(key.end(), {entry.item, entry.parent});
}

void MakeKey(Group group, std::vector<int32_t>& key) {
  key.clear();
  for (const std::vector<Return>& set : group) AddToKey(set, key);
}

// The sets of a component in the order in which this one leads to them. As a set has one return to
// an item, that is the same for every component like it.
std::vector<std::vector<Return>> From(size_t root, Group component) {
  std::vector<size_t> order = {root};
  std::vector<int32_t> place(component.size(), -1);
  place[root] = 0;
  std::vector<std::vector<Return>> ordered;
  for (size_t i = 0; i < order.size(); ++i) {
    std::vector<Return>& set = ordered.emplace_back(component[order[i]]);
    for (Return& entry : set) {
      if (!IsInGroup(entry.parent)) continue;
      const size_t parent = PlaceOf(entry.parent);
      if (place[parent] < 0) {
        place[parent] = static_cast<int32_t>(order.size());
        order.push_back(parent);
      }
      entry.parent = ReturnSets::InGroup(place[parent]);
    }
  }
  return ordered;
}

}  // namespace

// Makes the sets of a group deterministic: a set in the making, a draft, is the union of its parts,
// which are known sets and sets of the group (the subset construction).
class ReturnSets::Merger {
 public:
  Merger(ReturnSets& sets, Group group) : sets_(sets), group_(group) {}

  // The draft of these parts, which are sorted.
  int32_t DraftOf(const std::vector<int32_t>& parts) {
    const auto [known, is_new] = draft_of_.try_emplace(parts, static_cast<int32_t>(drafts_.size()));
    if (is_new) drafts_.push_back({.parts = parts});
    return known->second;
  }

  // Interns the drafts, and those that they need; false if there are too many.
  bool Run() {
    for (size_t i = 0; i < drafts_.size(); ++i) {
      if (drafts_.size() > kMaxDrafts) return false;
      std::vector<Return> returns = Merged(std::vector<int32_t>(drafts_[i].parts));
      drafts_[i].returns = std::move(returns);
    }
    components_ = FindComponents(Successors());
    const auto is_large = [](const std::vector<int32_t>& members) {
      return members.size() > kMaxComponent;
    };
    if (absl::c_any_of(components_.members, is_large)) return false;
    for (const std::vector<int32_t>& members : components_.members) Intern(members);
    return true;
  }

  int32_t IdOf(int32_t draft) const { return drafts_[draft].id; }

 private:
  struct Draft {
    std::vector<int32_t> parts;
    std::vector<Return> returns;  // Parents that are InGroup are drafts.
    int32_t id = kBottom;         // Once it is known.
  };

  std::vector<Return> Merged(const std::vector<int32_t>& parts) {
    std::vector<Return> all;
    for (const int32_t part : parts) {
      const absl::Span<const Return> set =
          IsInGroup(part) ? absl::MakeConstSpan(group_[PlaceOf(part)]) : sets_.of(part);
      all.insert(all.end(), set.begin(), set.end());
    }
    Sort(all);
    std::vector<Return> merged;
    for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
      std::vector<int32_t> parents;
      for (; end < all.size() && HaveSameItem(all[begin], all[end]); ++end) {
        parents.push_back(all[end].parent);
      }
      merged.push_back({all[begin].item, UnionOf(parents)});
    }
    return merged;
  }

  // Of sets that are known or in the group: a known one, or a draft.
  int32_t UnionOf(const std::vector<int32_t>& parents) {
    if (parents.size() == 1 && !IsInGroup(parents[0])) return parents[0];
    const auto known = sets_.unions_.find(parents);
    return known != sets_.unions_.end() ? known->second : InGroup(DraftOf(parents));
  }

  std::vector<std::vector<int32_t>> Successors() const {
    std::vector<std::vector<int32_t>> successors(drafts_.size());
    for (size_t i = 0; i < drafts_.size(); ++i) {
      for (const Return& entry : drafts_[i].returns) {
        if (!IsInGroup(entry.parent)) continue;
        successors[i].push_back(static_cast<int32_t>(PlaceOf(entry.parent)));
      }
    }
    return successors;
  }

  // One component. What its drafts lead to elsewhere is known.
  void Intern(const std::vector<int32_t>& members) {
    std::vector<std::vector<Return>> component;
    for (const int32_t member : members) {
      std::vector<Return>& set = component.emplace_back(drafts_[member].returns);
      for (Return& entry : set) {
        if (!IsInGroup(entry.parent)) continue;
        const auto parent = static_cast<int32_t>(PlaceOf(entry.parent));
        const auto place = absl::c_find(members, parent);
        entry.parent = place == members.end()
                           ? drafts_[parent].id
                           : InGroup(static_cast<int32_t>(place - members.begin()));
      }
    }
    for (size_t k = 0; k < members.size(); ++k) {
      Draft& draft = drafts_[members[k]];
      draft.id = sets_.InternComponent(From(k, component));
      const bool is_union = draft.parts.size() > 1 && !IsInGroup(draft.parts[0]);
      if (is_union) sets_.AddUnion(draft.parts, draft.id);
    }
  }

  ReturnSets& sets_;
  Group group_;
  std::vector<Draft> drafts_;
  absl::flat_hash_map<std::vector<int32_t>, int32_t> draft_of_;
  Components components_;
};

ReturnSets::ReturnSets() {
  const std::vector<Return> bottom = {{.item = kEndOfText, .parent = kBottom}};
  InternComponent({bottom});
}

void ReturnSets::Intern(Group group, absl::Span<int32_t> ids) {
  if (group.size() == 1 && IsMerged(group[0])) {
    ids[0] = InternComponent(group);
    return;
  }
  Merger merger(*this, group);
  for (size_t k = 0; k < group.size(); ++k) {
    ids[k] = merger.DraftOf({InGroup(static_cast<int32_t>(k))});
  }
  if (merger.Run()) {
    for (int32_t& id : ids) id = merger.IdOf(id);
  } else {
    absl::c_iota(ids, InternUnmerged(group));
  }
}

int32_t ReturnSets::Union(std::vector<int32_t> sets) {
  Sort(sets);
  if (sets.size() == 1) return sets[0];
  const auto known = unions_.find(sets);
  if (known != unions_.end()) return known->second;
  Merger merger(*this, {});
  const int32_t draft = merger.DraftOf(sets);
  if (merger.Run()) return merger.IdOf(draft);
  std::vector<Return> all;
  for (const int32_t set : sets) all.insert(all.end(), of(set).begin(), of(set).end());
  Sort(all);
  const int32_t id = InternUnmerged({all});
  AddUnion(sets, id);
  return id;
}

int32_t ReturnSets::InternComponent(Group component) {
  MakeKey(component, key_);
  const auto known = ids_.find(key_);
  if (known != ids_.end()) return known->second;
  const int32_t first = Append(component);
  AddKey(key_, first);
  if (!IsInCycle(component)) return first;
  for (size_t k = 0; k < component.size(); ++k) {
    const int32_t id = first + static_cast<int32_t>(k);
    if (k > 0) {
      MakeKey(From(k, component), key_);
      AddKey(key_, id);
    }
    // A set outside of a cycle that is like one in it is that one.
    key_.clear();
    AddToKey(of(id), key_);
    AddKey(key_, id);
  }
  return first;
}

int32_t ReturnSets::InternUnmerged(Group group) {
  MakeKey(group, key_);
  key_.push_back(kUnmerged);
  const auto known = ids_.find(key_);
  if (known != ids_.end()) return known->second;
  const int32_t first = Append(group);
  AddKey(key_, first);
  return first;
}

int32_t ReturnSets::Append(Group group) {
  const auto first = static_cast<int32_t>(sets_.size());
  for (const std::vector<Return>& set : group) {
    sets_.push_back({.begin = returns_.size(), .size = set.size()});
    for (const Return& entry : set) {
      const bool is_known = !IsInGroup(entry.parent);
      returns_.push_back({entry.item, is_known ? entry.parent : first - 1 - entry.parent});
    }
    memory_ += static_cast<int64_t>(sizeof(Set) + set.size() * sizeof(Return));
  }
  return first;
}

void ReturnSets::AddKey(const std::vector<int32_t>& key, int32_t id) {
  if (ids_.try_emplace(key, id).second) {
    memory_ += static_cast<int64_t>(key.size() * sizeof(int32_t)) + kBytesPerKey;
  }
}

void ReturnSets::AddUnion(const std::vector<int32_t>& sets, int32_t id) {
  if (unions_.try_emplace(sets, id).second) {
    memory_ += static_cast<int64_t>(sets.size() * sizeof(int32_t)) + kBytesPerKey;
  }
}

}  // namespace logitchain
