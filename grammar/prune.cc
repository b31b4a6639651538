#include "logitchain/grammar/prune.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "logitchain/grammar/grammar_node.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

using Kind = GrammarNode::Kind;

// Children of an Unordered node that are no members.
constexpr int32_t kBeforeMembers = 2;

// Goes from what derives a text to what does so thereby.
class ProductiveSearch {
 public:
  ProductiveSearch(absl::Span<const GrammarNode> nodes, absl::Span<const NodeId> children,
                   absl::Span<const NodeId> bodies, RegexArena& regexes)
      : nodes_(nodes),
        children_(children),
        regexes_(regexes),
        productive_(nodes.size()),
        missing_(nodes.size()),
        users_(nodes.size()),
        callers_(bodies.size()),
        rules_(nodes.size()) {
    for (size_t rule = 0; rule < bodies.size(); ++rule) {
      rules_[bodies[rule]].push_back(static_cast<RuleId>(rule));
    }
  }

  std::vector<bool> Run() && {
    for (size_t id = 0; id < nodes_.size(); ++id) AddNode(static_cast<NodeId>(id));
    while (!open_.empty()) {
      const NodeId id = open_.back();
      open_.pop_back();
      for (const NodeId user : users_[id]) ChildFound(user);
      for (const RuleId rule : rules_[id]) {
        for (const NodeId caller : callers_[rule]) Found(caller);
      }
    }
    return std::move(productive_);
  }

 private:
  absl::Span<const NodeId> Children(const GrammarNode& node) const {
    return children_.subspan(node.first_child, node.child_count);
  }

  void AddNode(NodeId id) {
    const GrammarNode& node = nodes_[id];
    for (const NodeId child : Children(node)) {
      if (child != kNoNode) users_[child].push_back(id);
    }
    missing_[id] = node.child_count;
    switch (node.kind) {
      case Kind::kTerminal:
        if (!regexes_.IsNothing(node.target)) Found(id);
        break;
      case Kind::kCall:
        callers_[node.target].push_back(id);
        break;
      case Kind::kSequence:
        if (node.child_count == 0) Found(id);
        break;
      case Kind::kRepeat:
        if (node.min == 0) Found(id);
        break;
      case Kind::kUnordered:
        if (UnorderedDerives(node)) Found(id);
        break;
      case Kind::kChoice:
        break;
    }
  }

  void ChildFound(NodeId id) {
    const GrammarNode& node = nodes_[id];
    --missing_[id];
    if (node.kind == Kind::kSequence && missing_[id] > 0) return;
    if (node.kind == Kind::kUnordered && !UnorderedDerives(node)) return;
    Found(id);
  }

  bool UnorderedDerives(const GrammarNode& node) const {
    const absl::Span<const NodeId> children = Children(node);
    const auto is_productive = [this](NodeId id) { return id != kNoNode && productive_[id]; };
    const absl::Span<const NodeId> members = children.subspan(kBeforeMembers);
    if (!absl::c_all_of(members.first(node.required), is_productive)) return false;
    const int32_t count = std::max(node.min, node.required);
    if (count > node.max || (count > 1 && !is_productive(children[0]))) return false;
    return is_productive(children[1]) || absl::c_count_if(members, is_productive) >= count;
  }

  void Found(NodeId id) {
    if (productive_[id]) return;
    productive_[id] = true;
    open_.push_back(id);
  }

  absl::Span<const GrammarNode> nodes_;
  absl::Span<const NodeId> children_;
  RegexArena& regexes_;
  std::vector<bool> productive_;
  std::vector<int32_t> missing_;              // Children that are not yet known to derive a text.
  std::vector<std::vector<NodeId>> users_;    // Of each node: whose child it is.
  std::vector<std::vector<NodeId>> callers_;  // Of each rule.
  std::vector<std::vector<RuleId>> rules_;    // Of each node: whose body it is.
  std::vector<NodeId> open_;
};

// Keeps the children from `begin` on that derive a text.
void KeepProductive(const std::vector<bool>& productive, int32_t begin, GrammarNode& node,
                    std::vector<NodeId>& children) {
  const auto first = children.begin() + node.first_child;
  const auto last = first + node.child_count;
  const auto kept =
      std::remove_if(first + begin, last, [&](NodeId child) { return !productive[child]; });
  node.child_count = static_cast<int32_t>(kept - first);
}

}  // namespace

std::vector<bool> FindProductive(absl::Span<const GrammarNode> nodes,
                                 absl::Span<const NodeId> children, absl::Span<const NodeId> bodies,
                                 RegexArena& regexes) {
  return ProductiveSearch(nodes, children, bodies, regexes).Run();
}

void Prune(const std::vector<bool>& productive, std::vector<GrammarNode>& nodes,
           std::vector<NodeId>& children) {
  for (size_t id = 0; id < nodes.size(); ++id) {
    GrammarNode& node = nodes[id];
    if (!productive[id]) continue;
    if (node.kind == Kind::kChoice) {
      KeepProductive(productive, 0, node, children);
    } else if (node.kind == Kind::kRepeat && !productive[children[node.first_child]]) {
      node = {.kind = Kind::kSequence};
    } else if (node.kind == Kind::kUnordered) {
      NodeId& extra = children[node.first_child + 1];
      if (extra != kNoNode && !productive[extra]) extra = kNoNode;
      KeepProductive(productive, kBeforeMembers, node, children);
    }
  }
}

}  // namespace logitchain
