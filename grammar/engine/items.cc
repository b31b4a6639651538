#include "logitchain/grammar/engine/items.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "logitchain/grammar/engine/lexer.h"
#include "logitchain/grammar/engine/network.h"
#include "logitchain/grammar/grammar.h"

namespace logitchain {
namespace {

bool Contains(const std::vector<uint32_t>& set, int32_t i) { return (set[i / 32] >> (i % 32)) & 1; }

// How many of the first `limit` members are in the set.
int32_t CountBelow(const std::vector<uint32_t>& set, int32_t limit) {
  int32_t count = 0;
  for (int32_t i = 0; i < limit; i += 32) {
    const uint32_t word = set[i / 32];
    count += std::popcount(limit - i >= 32 ? word : word & ((uint32_t{1} << (limit - i)) - 1));
  }
  return count;
}

}  // namespace

Items::Items(const Network& network, Lexer& lexer) : network_(network), calls_(network.calls) {
  views_.reserve(network.items.size());
  for (const Item& item : network.items) {
    views_.push_back({.terminals = item.terminals, .calls = item.calls, .ends = item.ends});
  }
  terminals_.reserve(network.terminals.size());
  for (const TerminalEdge& edge : network.terminals) {
    terminals_.push_back({lexer.StateOf(edge.regex), edge.target});
  }
}

int32_t Items::StartOf(int32_t rule) {
  const Network::Rule& info = network_.rules[rule];
  if (info.unordered == Network::kNoUnordered) return info.start;
  const size_t members = network_.unordered[info.unordered].members.size();
  return ItemAt({.unordered = info.unordered, .used = std::vector<uint32_t>((members + 31) / 32)});
}

Items::View Items::Get(int32_t item) {
  const size_t of_network = network_.items.size();
  if (static_cast<size_t>(item) >= of_network && !is_expanded_[item - of_network]) Expand(item);
  return views_[item];
}

int32_t Items::ItemAt(const Place& place) {
  std::vector<uint32_t> key = {static_cast<uint32_t>(place.unordered),
                               static_cast<uint32_t>(place.phase),
                               static_cast<uint32_t>(place.count)};
  key.insert(key.end(), place.used.begin(), place.used.end());
  const auto [known, is_new] =
      item_ids_.try_emplace(std::move(key), static_cast<int32_t>(views_.size()));
  if (!is_new) return known->second;
  memory_ += static_cast<int64_t>(2 * place.used.size() * sizeof(uint32_t) + sizeof(Place) +
                                  sizeof(View) + 60);
  views_.push_back({});
  places_.push_back(place);
  is_expanded_.push_back(false);
  return known->second;
}

void Items::Expand(int32_t item) {
  const size_t index = item - network_.items.size();
  is_expanded_[index] = true;
  const Place place = places_[index];
  const UnorderedRule& rule = network_.unordered[place.unordered];
  const auto next_call = [this] { return static_cast<int32_t>(calls_.size()); };
  const auto next_skip = [this] { return static_cast<int32_t>(skips_.size()); };
  View view = {.calls = {.begin = next_call()}, .skips = {.begin = next_skip()}};
  const bool may_stop = place.phase == Phase::kSeparator || place.count == 0;
  view.ends =
      may_stop && place.count >= rule.min && CountBelow(place.used, rule.required) == rule.required;
  if (place.phase == Phase::kSeparator && rule.separator >= 0) {
    // A separator that nothing can follow would lead nowhere.
    const size_t calls = calls_.size();
    const size_t skips = skips_.size();
    AddElements(rule, place);
    const bool can_go_on = calls_.size() > calls;
    calls_.resize(calls);
    skips_.resize(skips);
    Place after = place;
    after.phase = Phase::kElement;
    if (can_go_on) AddElement(rule.separator, after);
  } else {
    AddElements(rule, place);
  }
  view.calls.end = next_call();
  view.skips.end = next_skip();
  memory_ += static_cast<int64_t>(sizeof(CallEdge)) * (view.calls.end - view.calls.begin);
  views_[item] = view;
}

void Items::AddElements(const UnorderedRule& rule, const Place& place) {
  // A count that no bound asks for any more is not told apart.
  Place after = place;
  after.phase = Phase::kSeparator;
  if (rule.max != kUnbounded || place.count < std::max(rule.min, 1)) ++after.count;
  if (place.count >= rule.max) return;
  const int32_t missing = rule.required - CountBelow(place.used, rule.required);
  const bool has_room_for_others =
      rule.max == kUnbounded || missing <= rule.max - (place.count + 1);
  for (int32_t i = 0; i < static_cast<int32_t>(rule.members.size()); ++i) {
    if (Contains(place.used, i) || (i >= rule.required && !has_room_for_others)) continue;
    after.used[i / 32] |= uint32_t{1} << (i % 32);
    AddElement(rule.members[i], after);
    after.used[i / 32] = place.used[i / 32];
  }
  if (rule.extra >= 0 && has_room_for_others) AddElement(rule.extra, after);
}

void Items::AddElement(int32_t part, const Place& after) {
  const int32_t target = ItemAt(after);
  if (network_.rules[part].is_nullable) skips_.push_back(target);
  calls_.push_back({.rule = part, .target = target});
}

}  // namespace logitchain
