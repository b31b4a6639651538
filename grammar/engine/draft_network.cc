#include "logitchain/grammar/engine/draft_network.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "logitchain/grammar/engine/components.h"
#include "logitchain/grammar/engine/draft_fixpoint.h"
#include "logitchain/grammar/engine/draft_item.h"
#include "logitchain/grammar/engine/network.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

int32_t DraftNetwork::AddRule() {
  network_.rules.push_back({.start = AddItem()});
  return static_cast<int32_t>(network_.rules.size() - 1);
}

void DraftNetwork::MakeUnordered(int32_t rule, UnorderedRule unordered) {
  network_.rules[rule].unordered = static_cast<int32_t>(network_.unordered.size());
  size_ += static_cast<int64_t>(unordered.members.size());
  network_.unordered.push_back(std::move(unordered));
}

int32_t DraftNetwork::AddItem() {
  ++size_;
  items_.emplace_back();
  return static_cast<int32_t>(items_.size() - 1);
}

void DraftNetwork::AddTerminal(int32_t from, RegexId regex, int32_t to) {
  ++size_;
  if (regexes().MatchesEmpty(regex)) AddSkip(from, to);
  items_[from].terminals.push_back({regex, to});
}

void DraftNetwork::AddCall(int32_t from, int32_t rule, int32_t to) {
  ++size_;
  items_[from].calls.push_back({.rule = rule, .target = to});
}

void DraftNetwork::AddSkip(int32_t from, int32_t to) {
  ++size_;
  items_[from].skips.push_back(to);
}

absl::StatusOr<Network> DraftNetwork::Finish(int32_t start) && {
  if (has_room()) {
    completing_ = FindCompleting(network_, items_,
                                 [this](RegexId regex) { return !regexes().IsNothing(regex); });
    skippable_ = FindCompleting(network_, items_,
                                [this](RegexId regex) { return regexes().MatchesEmpty(regex); });
    if (absl::Status status = DropFutileParts(start); !status.ok()) return status;
    Flatten(start);
  }
  if (!regexes().status().ok()) return regexes().status();
  if (!has_room()) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the grammar is too large: it has more than ", kMaxSize, " parts and ways"));
  }
  MarkTails();
  OrderRules();
  network_.start = start;
  return std::move(network_);
}

absl::Status DraftNetwork::DropFutileParts(int32_t start) {
  if (!completing_.rules[start]) {
    return absl::InvalidArgumentError(
        "the grammar derives no text at all: whatever it begins with cannot be ended");
  }
  for (size_t i = 0; i < network_.rules.size(); ++i) {
    network_.rules[i].is_nullable = skippable_.rules[i];
  }
  const auto is_futile = [this](int32_t rule) { return !completing_.rules[rule]; };
  for (UnorderedRule& rule : network_.unordered) {
    // Required members are there, or the rule is futile itself.
    rule.members.erase(
        std::remove_if(rule.members.begin() + rule.required, rule.members.end(), is_futile),
        rule.members.end());
    if (rule.extra >= 0 && is_futile(rule.extra)) rule.extra = -1;
    if (rule.separator >= 0 && is_futile(rule.separator)) {
      rule.separator = -1;
      rule.max = std::min(rule.max, 1);
    }
  }
  return absl::OkStatus();
}

void DraftNetwork::Flatten(int32_t start) {
  network_.items.resize(items_.size());
  reached_from_.assign(items_.size(), -1);
  std::vector<bool> item_seen(items_.size());
  std::vector<bool> rule_seen(network_.rules.size());
  std::vector<int32_t> items;
  const auto add_item = [&](int32_t item) {
    if (item_seen[item]) return;
    item_seen[item] = true;
    items.push_back(item);
  };
  std::vector<int32_t> rules;
  const auto add_rule = [&](int32_t rule) {
    if (rule < 0 || rule_seen[rule] || !completing_.rules[rule]) return;
    rule_seen[rule] = true;
    rules.push_back(rule);
  };
  add_rule(start);
  while ((!rules.empty() || !items.empty()) && has_room()) {
    if (!items.empty()) {
      const int32_t item = items.back();
      items.pop_back();
      FlattenItem(item);
      const Item flat = network_.items[item];
      for (int32_t i = flat.terminals.begin; i < flat.terminals.end; ++i) {
        add_item(network_.terminals[i].target);
      }
      for (int32_t i = flat.calls.begin; i < flat.calls.end; ++i) {
        add_item(network_.calls[i].target);
        add_rule(network_.calls[i].rule);
      }
      continue;
    }
    const Network::Rule rule = network_.rules[rules.back()];
    rules.pop_back();
    if (rule.unordered < 0) {
      add_item(rule.start);
      continue;
    }
    const UnorderedRule& unordered = network_.unordered[rule.unordered];
    for (const int32_t member : unordered.members) add_rule(member);
    add_rule(unordered.extra);
    add_rule(unordered.separator);
  }
}

void DraftNetwork::FlattenItem(int32_t item) {
  const auto next_terminal = [this] { return static_cast<int32_t>(network_.terminals.size()); };
  const auto next_call = [this] { return static_cast<int32_t>(network_.calls.size()); };
  Item flat = {.terminals = {.begin = next_terminal()}, .calls = {.begin = next_call()}};
  std::vector<int32_t> open = {item};
  reached_from_[item] = item;
  const auto reach = [&](int32_t target) {
    if (reached_from_[target] == item || !completing_.items[target]) return;
    reached_from_[target] = item;
    open.push_back(target);
  };
  while (!open.empty()) {
    const DraftItem& draft = items_[open.back()];
    open.pop_back();
    flat.ends = flat.ends || draft.ends;
    for (const int32_t target : draft.skips) reach(target);
    for (const TerminalEdge& edge : draft.terminals) {
      if (!completing_.items[edge.target] || regexes().IsNothing(edge.regex)) continue;
      network_.terminals.push_back(edge);
    }
    for (const CallEdge& edge : draft.calls) {
      if (skippable_.rules[edge.rule]) reach(edge.target);
      if (!completing_.items[edge.target] || !completing_.rules[edge.rule]) continue;
      network_.calls.push_back(edge);
    }
  }
  flat.terminals.end = next_terminal();
  flat.calls.end = next_call();
  size_ += flat.terminals.end - flat.terminals.begin + flat.calls.end - flat.calls.begin;
  network_.items[item] = flat;
}

void DraftNetwork::MarkTails() {
  for (CallEdge& edge : network_.calls) {
    const Item& target = network_.items[edge.target];
    edge.is_tail = target.ends && target.terminals.empty() && target.calls.empty();
  }
}

void DraftNetwork::OrderRules() {
  std::vector<std::vector<int32_t>> begins_with(network_.rules.size());
  for (size_t i = 0; i < network_.rules.size(); ++i) {
    const Network::Rule& rule = network_.rules[i];
    if (rule.unordered >= 0) {
      const UnorderedRule& unordered = network_.unordered[rule.unordered];
      begins_with[i] = unordered.members;
      if (unordered.extra >= 0) begins_with[i].push_back(unordered.extra);
      // Comes first where a member derives the empty text.
      if (unordered.separator >= 0) begins_with[i].push_back(unordered.separator);
      continue;
    }
    const IndexRange calls = network_.items[rule.start].calls;
    for (int32_t j = calls.begin; j < calls.end; ++j) {
      begins_with[i].push_back(network_.calls[j].rule);
    }
  }
  const Components components = FindComponents(begins_with);
  const int32_t last = static_cast<int32_t>(components.members.size()) - 1;
  for (size_t i = 0; i < network_.rules.size(); ++i) {
    network_.rules[i].left_group = last - components.of[i];
  }
}

}  // namespace logitchain
