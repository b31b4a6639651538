#include "logitchain/grammar/engine/build_network.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/grammar/engine/draft_network.h"
#include "logitchain/grammar/engine/fold_regular.h"
#include "logitchain/grammar/engine/network.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

// Writes the items and edges of a grammar's rules.
class Drafter {
 public:
  explicit Drafter(const Grammar& grammar) : grammar_(grammar), draft_(grammar.regexes()) {}

  absl::StatusOr<Network> Run() {
    folded_ = FoldRegular(grammar_, draft_.regexes());
    for (size_t i = 0; i < grammar_.rules().size(); ++i) draft_.AddRule();
    for (size_t i = 0; i < grammar_.rules().size(); ++i) {
      DefineRule(static_cast<int32_t>(i), grammar_.rules()[i].body);
    }
    if (!draft_.regexes().status().ok()) return draft_.regexes().status();
    return std::move(draft_).Finish(grammar_.start());
  }

 private:
  void DefineRule(int32_t rule, NodeId body) {
    const GrammarNode& node = grammar_.node(body);
    if (!folded_[body] && node.kind == GrammarNode::Kind::kUnordered) {
      return draft_.MakeUnordered(rule, UnorderedOf(node));
    }
    const int32_t end = draft_.AddItem();
    draft_.MarkEnd(end);
    Emit(body, draft_.StartOf(rule), end);
  }

  // Adds the ways over `id` from an item to another.
  void Emit(NodeId id, int32_t from, int32_t to) {
    if (!draft_.has_room()) return;
    if (folded_[id]) return draft_.AddTerminal(from, folded_[id]->regex, to);
    const GrammarNode& node = grammar_.node(id);
    switch (node.kind) {
      case GrammarNode::Kind::kTerminal:
        return draft_.AddTerminal(from, node.target, to);
      case GrammarNode::Kind::kCall:
        return draft_.AddCall(from, node.target, to);
      case GrammarNode::Kind::kSequence:
        return EmitSequence(grammar_.children(node), from, to);
      case GrammarNode::Kind::kChoice:
        return EmitChoice(grammar_.children(node), from, to);
      case GrammarNode::Kind::kRepeat:
        return EmitRepeat(node, from, to);
      case GrammarNode::Kind::kUnordered:
        return draft_.AddCall(from, RuleOf(id), to);
    }
  }

  void EmitSequence(absl::Span<const NodeId> parts, int32_t from, int32_t to) {
    for (size_t i = 0; i < parts.size();) {
      const size_t end = i + std::max<size_t>(1, ShortParts(parts.subspan(i)));
      const int32_t next = end == parts.size() ? to : draft_.AddItem();
      EmitRun(parts.subspan(i, end - i), from, next);
      from = next;
      i = end;
    }
    if (parts.empty()) draft_.AddSkip(from, to);
  }

  // How many of the first parts are short texts, which are cheaper as one.
  size_t ShortParts(absl::Span<const NodeId> parts) const {
    size_t count = 0;
    while (count < parts.size() && folded_[parts[count]] && folded_[parts[count]]->is_short) {
      ++count;
    }
    return count;
  }

  void EmitRun(absl::Span<const NodeId> parts, int32_t from, int32_t to) {
    if (parts.size() == 1) return Emit(parts[0], from, to);
    std::vector<RegexId> regexes;
    for (const NodeId part : parts) regexes.push_back(folded_[part]->regex);
    draft_.AddTerminal(from, draft_.regexes().Concat(regexes), to);
  }

  void EmitChoice(absl::Span<const NodeId> parts, int32_t from, int32_t to) {
    std::vector<RegexId> regexes;
    for (const NodeId part : parts) {
      if (folded_[part]) {
        regexes.push_back(folded_[part]->regex);
      } else {
        Emit(part, from, to);
      }
    }
    if (!regexes.empty()) draft_.AddTerminal(from, draft_.regexes().Either(regexes), to);
  }

  void EmitRepeat(const GrammarNode& node, int32_t from, int32_t to) {
    const NodeId part = grammar_.children(node)[0];
    if (node.max == 0) return draft_.AddSkip(from, to);
    if (node.min <= 1 && node.max == 1) {
      if (node.min == 0) draft_.AddSkip(from, to);
      return Emit(part, from, to);
    }
    if (node.min <= 1 && node.max == kUnbounded) {
      const int32_t before = draft_.AddItem();
      const int32_t after = draft_.AddItem();
      draft_.AddSkip(from, before);
      draft_.AddSkip(after, before);
      draft_.AddSkip(after, to);
      if (node.min == 0) draft_.AddSkip(from, to);
      return Emit(part, before, after);
    }
    const int32_t rule = draft_.AddRule();
    draft_.MakeUnordered(rule, {.extra = RuleOf(part), .min = node.min, .max = node.max});
    draft_.AddCall(from, rule, to);
  }

  UnorderedRule UnorderedOf(const GrammarNode& node) {
    const absl::Span<const NodeId> children = grammar_.children(node);
    UnorderedRule rule = {.required = node.required,
                          .extra = children[1] == kNoNode ? -1 : RuleOf(children[1]),
                          .separator = RuleOf(children[0]),
                          .min = node.min,
                          .max = node.max};
    for (const NodeId member : children.subspan(2)) rule.members.push_back(RuleOf(member));
    return rule;
  }

  // A rule that derives what the node does.
  int32_t RuleOf(NodeId id) {
    const GrammarNode& node = grammar_.node(id);
    if (!folded_[id] && node.kind == GrammarNode::Kind::kCall) return node.target;
    const int32_t rule = draft_.AddRule();
    if (draft_.has_room()) DefineRule(rule, id);
    return rule;
  }

  const Grammar& grammar_;
  DraftNetwork draft_;
  std::vector<std::optional<FoldedNode>> folded_;  // By node.
};

}  // namespace

absl::StatusOr<Network> BuildNetwork(const Grammar& grammar) { return Drafter(grammar).Run(); }

}  // namespace logitchain
