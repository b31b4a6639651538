#include "logitchain/grammar/engine/fold_regular.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/algorithm/container.h"
#include "logitchain/grammar/engine/components.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

// The largest count of a repetition that still makes something short.
constexpr int32_t kShortRepeat = 8;

class ShortExpressions {
 public:
  explicit ShortExpressions(const RegexArena& arena) : arena_(arena) {}

  bool Contains(RegexId id) {
    while (known_.size() <= static_cast<size_t>(id)) {
      known_.push_back(Compute(static_cast<RegexId>(known_.size())));
    }
    return known_[id];
  }

 private:
  // Operands come before what is made of them.
  bool Compute(RegexId id) const {
    const auto is_short = [this](RegexId operand) { return known_[operand]; };
    switch (arena_.kind(id)) {
      case RegexArena::Kind::kBytes:
      case RegexArena::Kind::kEmptyString:
        return true;
      case RegexArena::Kind::kConcat:
        return is_short(arena_.operand(id)) && is_short(arena_.tail(id));
      case RegexArena::Kind::kEither:
        return absl::c_all_of(arena_.operands(id), is_short);
      case RegexArena::Kind::kBoth:
        return absl::c_any_of(arena_.operands(id), is_short);
      case RegexArena::Kind::kNot:
      case RegexArena::Kind::kMultiples:
        return false;
      case RegexArena::Kind::kRepeat:
        return arena_.max(id) <= kShortRepeat && is_short(arena_.operand(id));
    }
    return false;
  }

  const RegexArena& arena_;
  std::vector<bool> known_;  // By RegexId.
};

class Folder {
 public:
  Folder(const Grammar& grammar, RegexArena& arena)
      : grammar_(grammar),
        arena_(arena),
        short_(arena),
        seen_in_(grammar.nodes().size(), -1),
        is_done_(grammar.nodes().size()),
        folded_(grammar.nodes().size()) {}

  std::vector<std::optional<FoldedNode>> Run() {
    std::vector<std::vector<int32_t>> calls(grammar_.rules().size());
    for (size_t rule = 0; rule < calls.size(); ++rule) {
      CollectCalls(grammar_.rules()[rule].body, static_cast<int32_t>(rule), calls[rule]);
    }
    // A call within a component comes upon a body that is not done, and so is not folded.
    for (const std::vector<int32_t>& rules : FindComponents(calls).members) {
      for (const int32_t rule : rules) Fold(grammar_.rules()[rule].body);
    }
    return std::move(folded_);
  }

 private:
  void CollectCalls(NodeId id, int32_t rule, std::vector<int32_t>& calls) {
    if (id == kNoNode || seen_in_[id] == rule) return;
    seen_in_[id] = rule;
    const GrammarNode& node = grammar_.node(id);
    if (node.kind == GrammarNode::Kind::kCall) calls.push_back(node.target);
    for (const NodeId child : grammar_.children(node)) CollectCalls(child, rule, calls);
  }

  const std::optional<FoldedNode>& Fold(NodeId id) {
    if (is_done_[id]) return folded_[id];
    const GrammarNode& node = grammar_.node(id);
    switch (node.kind) {
      case GrammarNode::Kind::kTerminal:
        folded_[id] = Lexeme(node.target);
        break;
      case GrammarNode::Kind::kCall: {
        const NodeId body = grammar_.rules()[node.target].body;
        if (is_done_[body] && folded_[body]) folded_[id] = Lexeme(folded_[body]->regex);
        break;
      }
      case GrammarNode::Kind::kSequence:
        folded_[id] = FoldSequence(node);
        break;
      case GrammarNode::Kind::kChoice:
        folded_[id] = FoldChoice(node);
        break;
      case GrammarNode::Kind::kRepeat:
        folded_[id] = FoldRepeat(node);
        break;
      case GrammarNode::Kind::kUnordered:
        for (const NodeId child : grammar_.children(node)) {
          if (child != kNoNode) Fold(child);
        }
        break;
    }
    is_done_[id] = true;
    return folded_[id];
  }

  FoldedNode Lexeme(RegexId regex) {
    const bool is_short = short_.Contains(regex);
    return {.regex = regex, .is_short = is_short, .is_lexeme = !is_short};
  }

  std::optional<FoldedNode> FoldSequence(const GrammarNode& node) {
    std::vector<RegexId> parts;
    bool is_regular = true;
    for (const NodeId child : grammar_.children(node)) {
      const std::optional<FoldedNode>& part = Fold(child);
      is_regular = is_regular && part && !part->is_lexeme;
      if (is_regular) parts.push_back(part->regex);
    }
    if (!is_regular) return std::nullopt;
    const RegexId regex = arena_.Concat(parts);
    return FoldedNode{.regex = regex, .is_short = short_.Contains(regex)};
  }

  std::optional<FoldedNode> FoldChoice(const GrammarNode& node) {
    std::vector<RegexId> parts;
    bool is_lexeme = false;
    for (const NodeId child : grammar_.children(node)) {
      const std::optional<FoldedNode>& part = Fold(child);
      if (!part) continue;
      parts.push_back(part->regex);
      is_lexeme = is_lexeme || part->is_lexeme;
    }
    if (parts.size() < static_cast<size_t>(node.child_count)) return std::nullopt;
    const RegexId regex = arena_.Either(parts);
    return FoldedNode{.regex = regex, .is_short = short_.Contains(regex), .is_lexeme = is_lexeme};
  }

  std::optional<FoldedNode> FoldRepeat(const GrammarNode& node) {
    const std::optional<FoldedNode>& part = Fold(grammar_.children(node)[0]);
    if (!part || (part->is_lexeme && node.max > 1)) return std::nullopt;
    const RegexId regex = arena_.Repeat(part->regex, node.min, node.max);
    return FoldedNode{
        .regex = regex, .is_short = short_.Contains(regex), .is_lexeme = part->is_lexeme};
  }

  const Grammar& grammar_;
  RegexArena& arena_;
  ShortExpressions short_;
  std::vector<int32_t> seen_in_;  // By node: the last rule in whose body it was come upon.
  std::vector<bool> is_done_;     // By node.
  std::vector<std::optional<FoldedNode>> folded_;
};

}  // namespace

std::vector<std::optional<FoldedNode>> FoldRegular(const Grammar& grammar, RegexArena& arena) {
  return Folder(grammar, arena).Run();
}

}  // namespace logitchain
