#include "logitchain/grammar/engine/draft_fixpoint.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "logitchain/grammar/engine/draft_item.h"
#include "logitchain/grammar/engine/network.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

constexpr int32_t kFree = -1;

class Fixpoint {
 public:
  Fixpoint(const Network& network, absl::Span<const DraftItem> items)
      : network_(network),
        items_(items),
        before_(items.size()),
        calls_of_(network.rules.size()),
        users_of_(network.rules.size()),
        rules_starting_at_(items.size(), kFree) {
    found_.items.resize(items.size());
    found_.rules.resize(network.rules.size());
  }

  Completing Run(absl::FunctionRef<bool(RegexId)> passes) {
    Index(passes);
    for (size_t i = 0; i < items_.size(); ++i) {
      if (items_[i].ends) AddItem(static_cast<int32_t>(i));
    }
    for (size_t i = 0; i < network_.rules.size(); ++i) {
      if (network_.rules[i].unordered >= 0) TryUnordered(static_cast<int32_t>(i));
    }
    while (!new_items_.empty() || !new_rules_.empty()) {
      if (!new_items_.empty()) {
        FollowItem(Take(new_items_));
      } else {
        FollowRule(Take(new_rules_));
      }
    }
    return std::move(found_);
  }

 private:
  // An edge seen from its target: from `item`, over what `rule` derives or, if kFree, over nothing
  // that is in the way.
  struct Before {
    int32_t item;
    int32_t rule;
  };
  struct Call {
    int32_t from;
    int32_t to;
  };

  static int32_t Take(std::vector<int32_t>& list) {
    const int32_t last = list.back();
    list.pop_back();
    return last;
  }

  void Index(absl::FunctionRef<bool(RegexId)> passes) {
    for (size_t i = 0; i < items_.size(); ++i) {
      const int32_t from = static_cast<int32_t>(i);
      for (const int32_t to : items_[i].skips) before_[to].push_back({from, kFree});
      for (const TerminalEdge& edge : items_[i].terminals) {
        if (passes(edge.regex)) before_[edge.target].push_back({from, kFree});
      }
      for (const CallEdge& edge : items_[i].calls) {
        before_[edge.target].push_back({from, edge.rule});
        calls_of_[edge.rule].push_back({from, edge.target});
      }
    }
    for (size_t i = 0; i < network_.rules.size(); ++i) {
      const int32_t rule = static_cast<int32_t>(i);
      const int32_t index = network_.rules[i].unordered;
      if (index < 0) {
        rules_starting_at_[network_.rules[i].start] = rule;
        continue;
      }
      const UnorderedRule& unordered = network_.unordered[index];
      for (const int32_t member : unordered.members) users_of_[member].push_back(rule);
      if (unordered.extra >= 0) users_of_[unordered.extra].push_back(rule);
      if (unordered.separator >= 0) users_of_[unordered.separator].push_back(rule);
    }
  }

  void AddItem(int32_t item) {
    if (found_.items[item]) return;
    found_.items[item] = true;
    new_items_.push_back(item);
  }

  void AddRule(int32_t rule) {
    if (found_.rules[rule]) return;
    found_.rules[rule] = true;
    new_rules_.push_back(rule);
  }

  void FollowItem(int32_t item) {
    for (const Before& edge : before_[item]) {
      if (edge.rule == kFree || found_.rules[edge.rule]) AddItem(edge.item);
    }
    if (rules_starting_at_[item] != kFree) AddRule(rules_starting_at_[item]);
  }

  void FollowRule(int32_t rule) {
    for (const Call& call : calls_of_[rule]) {
      if (found_.items[call.to]) AddItem(call.from);
    }
    for (const int32_t user : users_of_[rule]) TryUnordered(user);
  }

  void TryUnordered(int32_t rule) {
    const UnorderedRule& unordered = network_.unordered[network_.rules[rule].unordered];
    const auto completes = [this](int32_t part) { return found_.rules[part]; };
    const absl::Span<const int32_t> members = unordered.members;
    const int32_t least = std::max(unordered.min, unordered.required);
    const auto required = members.first(unordered.required);
    if (least > unordered.max || !std::all_of(required.begin(), required.end(), completes)) return;
    if (least > 1 && unordered.separator >= 0 && !completes(unordered.separator)) return;
    const bool has_extra = unordered.extra >= 0 && completes(unordered.extra);
    if (has_extra || std::count_if(members.begin(), members.end(), completes) >= least) {
      AddRule(rule);
    }
  }

  const Network& network_;
  absl::Span<const DraftItem> items_;
  std::vector<std::vector<Before>> before_;     // By target.
  std::vector<std::vector<Call>> calls_of_;     // By rule.
  std::vector<std::vector<int32_t>> users_of_;  // Unordered rules with this part.
  std::vector<int32_t> rules_starting_at_;      // By item.
  Completing found_;
  std::vector<int32_t> new_items_;
  std::vector<int32_t> new_rules_;
};

}  // namespace

Completing FindCompleting(const Network& network, absl::Span<const DraftItem> items,
                          absl::FunctionRef<bool(RegexId)> passes) {
  return Fixpoint(network, items).Run(passes);
}

}  // namespace logitchain
