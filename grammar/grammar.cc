#include "logitchain/grammar/grammar.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/grammar/grammar_node.h"
#include "logitchain/grammar/prune.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

RuleId GrammarBuilder::Rule(absl::string_view name) {
  const auto [entry, is_new] =
      rule_ids_.try_emplace(std::string(name), static_cast<RuleId>(grammar_.rules_.size()));
  if (is_new) grammar_.rules_.push_back({.name = std::string(name), .body = kNoNode});
  return entry->second;
}

RuleId GrammarBuilder::NewRule(absl::string_view name) {
  if (!rule_ids_.contains(std::string(name))) return Rule(name);
  return Rule(absl::StrCat(name, "#", grammar_.rules_.size()));
}

void GrammarBuilder::Define(RuleId rule, NodeId body) {
  if (IsDefined(rule)) {
    status_.Update(absl::InvalidArgumentError(
        absl::StrCat("rule ", grammar_.rules_[rule].name, " is defined twice")));
    return;
  }
  grammar_.rules_[rule].body = body;
}

NodeId GrammarBuilder::Add(GrammarNode node, absl::Span<const NodeId> children) {
  int32_t nesting = 0;
  for (const NodeId child : children) {
    if (child != kNoNode) nesting = std::max(nesting, nesting_[child] + 1);
  }
  if (nesting > kMaxNesting) {
    status_.Update(absl::ResourceExhaustedError(
        absl::StrCat("the grammar is nested deeper than ", kMaxNesting, " levels")));
  }
  if (grammar_.nodes_.size() + grammar_.children_.size() + children.size() >= kMaxNodes) {
    status_.Update(absl::ResourceExhaustedError(
        absl::StrCat("the grammar has more than ", kMaxNodes, " parts")));
  }
  if (!status_.ok() && !grammar_.nodes_.empty()) return 0;
  node.first_child = static_cast<int32_t>(grammar_.children_.size());
  node.child_count = static_cast<int32_t>(children.size());
  grammar_.children_.insert(grammar_.children_.end(), children.begin(), children.end());
  grammar_.nodes_.push_back(node);
  nesting_.push_back(nesting);
  return static_cast<NodeId>(grammar_.nodes_.size() - 1);
}

NodeId GrammarBuilder::Terminal(RegexId regex) {
  return Add({.kind = GrammarNode::Kind::kTerminal, .target = regex}, {});
}

NodeId GrammarBuilder::Call(RuleId rule) {
  return Add({.kind = GrammarNode::Kind::kCall, .target = rule}, {});
}

NodeId GrammarBuilder::Sequence(absl::Span<const NodeId> parts) {
  if (parts.size() == 1) return parts[0];
  return Add({.kind = GrammarNode::Kind::kSequence}, parts);
}

NodeId GrammarBuilder::Choice(absl::Span<const NodeId> parts) {
  if (parts.size() == 1) return parts[0];
  return Add({.kind = GrammarNode::Kind::kChoice}, parts);
}

NodeId GrammarBuilder::Repeat(NodeId part, int32_t min, int32_t max) {
  if (min == 1 && max == 1) return part;
  return Add({.kind = GrammarNode::Kind::kRepeat, .min = min, .max = max}, {part});
}

NodeId GrammarBuilder::Unordered(const UnorderedParts& parts) {
  std::vector<NodeId> children = {parts.separator, parts.extra};
  children.insert(children.end(), parts.members.begin(), parts.members.end());
  return Add({.kind = GrammarNode::Kind::kUnordered,
              .min = parts.min,
              .max = parts.max,
              .required = parts.required},
             children);
}

absl::Status GrammarBuilder::status() const {
  return status_.ok() ? grammar_.regexes_.status() : status_;
}

absl::Status GrammarBuilder::CheckRules() const {
  if (grammar_.rules_.size() > kMaxRules) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the grammar has more than ", kMaxRules, " rules"));
  }
  for (const Grammar::Rule& rule : grammar_.rules_) {
    if (rule.body == kNoNode) {
      return absl::InvalidArgumentError(absl::StrCat("rule ", rule.name, " is not defined"));
    }
  }
  return absl::OkStatus();
}

absl::Status GrammarBuilder::PruneAll(RuleId start) {
  std::vector<NodeId> bodies;
  for (const Grammar::Rule& rule : grammar_.rules_) bodies.push_back(rule.body);
  const std::vector<bool> productive =
      FindProductive(grammar_.nodes_, grammar_.children_, bodies, grammar_.regexes_);
  if (!grammar_.regexes_.status().ok()) return grammar_.regexes_.status();
  if (!productive[bodies[start]]) {
    return absl::InvalidArgumentError("no text satisfies the grammar");
  }
  Prune(productive, grammar_.nodes_, grammar_.children_);
  return absl::OkStatus();
}

absl::StatusOr<Grammar> GrammarBuilder::Build(RuleId start) && {
  status_.Update(grammar_.regexes_.status());
  status_.Update(CheckRules());
  if (status_.ok()) status_ = PruneAll(start);
  if (!status_.ok()) return status_;
  grammar_.start_ = start;
  return std::move(grammar_);
}

}  // namespace logitchain
