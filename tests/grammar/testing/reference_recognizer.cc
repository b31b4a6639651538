#include "logitchain/tests/grammar/testing/reference_recognizer.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

ReferenceRecognizer::ReferenceRecognizer(const Grammar& grammar)
    : grammar_(grammar), regexes_(grammar.regexes()) {}

bool ReferenceRecognizer::Matches(absl::string_view text) {
  text_ = std::string(text);
  ends_of_rules_.clear();
  ends_of_terminals_.clear();
  do {
    has_grown_ = false;
    visited_.clear();
    EndsOfRule(grammar_.start(), 0);
  } while (has_grown_);
  return EndsOfRule(grammar_.start(), 0).contains(text_.size());
}

ReferenceRecognizer::Places ReferenceRecognizer::Ends(NodeId id, size_t begin) {
  const GrammarNode& node = grammar_.node(id);
  switch (node.kind) {
    case GrammarNode::Kind::kTerminal:
      return EndsOfTerminal(node.target, begin);
    case GrammarNode::Kind::kCall:
      return EndsOfRule(node.target, begin);
    case GrammarNode::Kind::kSequence:
      return EndsOfSequence(node, begin);
    case GrammarNode::Kind::kRepeat:
      return EndsOfRepeat(node, begin);
    case GrammarNode::Kind::kUnordered:
      return EndsOfUnordered(node, begin);
    case GrammarNode::Kind::kChoice:
      break;
  }
  Places ends;
  for (const NodeId child : grammar_.children(node)) ends.merge(Ends(child, begin));
  return ends;
}

ReferenceRecognizer::Places ReferenceRecognizer::EndsOfTerminal(RegexId regex, size_t begin) {
  const auto [entry, is_new] = ends_of_terminals_.try_emplace({regex, begin});
  if (!is_new) return entry->second;
  for (size_t place = begin;; ++place) {
    if (regexes_.MatchesEmpty(regex)) entry->second.insert(place);
    if (place == text_.size() || regex == RegexArena::kNothing) return entry->second;
    regex = regexes_.Derivative(regex, static_cast<uint8_t>(text_[place]));
  }
}

ReferenceRecognizer::Places ReferenceRecognizer::EndsOfRule(RuleId rule, size_t begin) {
  const std::pair<RuleId, size_t> key(rule, begin);
  if (!visited_.insert(key).second) return ends_of_rules_[key];
  const Places ends = Ends(grammar_.rules()[rule].body, begin);
  Places& known = ends_of_rules_[key];
  if (ends.size() > known.size()) has_grown_ = true;
  return known = ends;
}

ReferenceRecognizer::Places ReferenceRecognizer::EndsFromAll(NodeId id, const Places& begins) {
  Places ends;
  for (const size_t begin : begins) ends.merge(Ends(id, begin));
  return ends;
}

ReferenceRecognizer::Places ReferenceRecognizer::EndsOfSequence(const GrammarNode& node,
                                                                size_t begin) {
  Places places = {begin};
  for (const NodeId child : grammar_.children(node)) places = EndsFromAll(child, places);
  return places;
}

ReferenceRecognizer::Places ReferenceRecognizer::EndsOfRepeat(const GrammarNode& node,
                                                              size_t begin) {
  const NodeId child = grammar_.children(node)[0];
  Places ends;
  Places places = {begin};
  for (int32_t count = 0;; ++count) {
    const Places next = EndsFromAll(child, places);
    // Once the places stay, they stay for all further counts.
    if (count >= node.min || next == places) ends.insert(places.begin(), places.end());
    if (count == node.max || next == places || next.empty()) return ends;
    places = next;
  }
}

ReferenceRecognizer::Places ReferenceRecognizer::EndsOfUnordered(const GrammarNode& node,
                                                                 size_t begin) {
  const absl::Span<const NodeId> children = grammar_.children(node);
  const NodeId separator = children[0];
  const NodeId extra = children[1];
  const absl::Span<const NodeId> members = children.subspan(2);
  Places ends;
  // Place, which members there were, and how many parts; before any separator.
  using State = std::tuple<size_t, std::vector<bool>, int32_t>;
  std::set<State> seen;
  std::vector<State> open = {{begin, std::vector<bool>(members.size()), 0}};
  while (!open.empty()) {
    const auto [place, used, count] = open.back();
    open.pop_back();
    bool has_required = true;
    for (int32_t i = 0; i < node.required; ++i) has_required = has_required && used[i];
    if (has_required && count >= node.min) ends.insert(place);
    if (count == node.max) continue;
    const Places begins = count == 0 ? Places{place} : Ends(separator, place);
    const auto add = [&, count = count](const Places& next_places, const std::vector<bool>& next) {
      for (const size_t next_place : next_places) {
        // Parts that derive the empty text need not be counted beyond what `min` asks.
        if (count > static_cast<int32_t>(text_.size()) + node.min) continue;
        State state(next_place, next, count + 1);
        if (seen.insert(state).second) open.push_back(state);
      }
    };
    if (extra != kNoNode) add(EndsFromAll(extra, begins), used);
    for (size_t i = 0; i < members.size(); ++i) {
      if (used[i]) continue;
      std::vector<bool> next = used;
      next[i] = true;
      add(EndsFromAll(members[i], begins), next);
    }
  }
  return ends;
}

bool ReferenceMatches(const Grammar& grammar, absl::string_view text) {
  return ReferenceRecognizer(grammar).Matches(text);
}

}  // namespace logitchain
