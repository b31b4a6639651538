#ifndef LOGITCHAIN_GRAMMAR_GRAMMAR_H_
#define LOGITCHAIN_GRAMMAR_GRAMMAR_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/grammar/grammar_node.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// A context-free grammar over bytes whose terminals are regular expressions: what front ends make
// and the engine runs. It stands for exactly the language that the rules denote; nothing is
// tokenised, and ambiguity, left recursion and rules that derive the empty text are all fine. What
// a part of the start rule's body may begin with can always be brought to an end. Built by
// GrammarBuilder; never changes.
class Grammar {
 public:
  struct Rule {
    std::string name;  // For messages.
    NodeId body;
  };

  // The expressions that terminals name. A user that needs derivatives takes a copy, which keeps
  // the ids.
  const RegexArena& regexes() const { return regexes_; }

  absl::Span<const Rule> rules() const { return rules_; }
  RuleId start() const { return start_; }

  absl::Span<const GrammarNode> nodes() const { return nodes_; }
  const GrammarNode& node(NodeId id) const { return nodes_[id]; }

  // Of kSequence, kChoice, kRepeat and kUnordered.
  absl::Span<const NodeId> children(const GrammarNode& node) const {
    return absl::MakeConstSpan(children_).subspan(node.first_child, node.child_count);
  }

 private:
  friend class GrammarBuilder;

  explicit Grammar(RegexArena regexes) : regexes_(std::move(regexes)) {}

  RegexArena regexes_;
  std::vector<GrammarNode> nodes_;
  std::vector<NodeId> children_;
  std::vector<Rule> rules_;
  RuleId start_ = 0;
};

// What an Unordered node derives: see GrammarBuilder::Unordered.
struct UnorderedParts {
  // The first `required` of them must occur.
  absl::Span<const NodeId> members;
  int32_t required = 0;
  // What may occur any number of times beside the members; kNoNode for nothing.
  NodeId extra = kNoNode;
  // Stands between every two that occur.
  NodeId separator;
  // How many occur, members and extras together; max may be kUnbounded.
  int32_t min = 0;
  int32_t max = kUnbounded;
};

// Builds a Grammar. A mistake, or a grammar that exceeds the limits, is reported by Build: until
// then the other functions go on with ids that may be used like any.
class GrammarBuilder {
 public:
  // Nodes and the entries of their lists of children, all together.
  static constexpr int32_t kMaxNodes = 1 << 20;
  static constexpr int32_t kMaxRules = 1 << 18;
  // Nodes inside of nodes; calls do not count.
  static constexpr int32_t kMaxNesting = 1000;

  GrammarBuilder() : grammar_(RegexArena()) {}

  // Where the expressions of terminals are made.
  RegexArena& regexes() { return grammar_.regexes_; }

  // The rule with this name, which is a new one without a body if there is none yet.
  RuleId Rule(absl::string_view name);
  // A new rule, named like this or, if there is one already, with a number behind.
  RuleId NewRule(absl::string_view name);
  // Gives a rule its body. Once for every rule.
  void Define(RuleId rule, NodeId body);
  bool IsDefined(RuleId rule) const { return grammar_.rules_[rule].body != kNoNode; }
  absl::string_view NameOf(RuleId rule) const { return grammar_.rules_[rule].name; }

  NodeId Terminal(RegexId regex);
  // A terminal that matches just this text.
  NodeId Text(absl::string_view text) { return Terminal(regexes().Literal(text)); }
  NodeId Call(RuleId rule);
  NodeId Sequence(absl::Span<const NodeId> parts);
  NodeId Choice(absl::Span<const NodeId> parts);
  // 0 <= min <= max <= kUnbounded, min < kUnbounded.
  NodeId Repeat(NodeId part, int32_t min, int32_t max);
  NodeId Optional(NodeId part) { return Repeat(part, 0, 1); }

  // e1 separator e2 separator … ek for every k from min to max: each e is derived by a member, and
  // no two by the same one, or by the extra; the first `required` members all occur. In any order.
  // Spelt out in rules this would take 2^members of them, so the engine keeps account of which
  // members there were.
  NodeId Unordered(const UnorderedParts& parts);

  // ResourceExhausted once the grammar, or an expression in it, has become too large.
  absl::Status status() const;

  // The grammar, without what derives no text. InvalidArgument if a rule has no body or no text is
  // left at all, ResourceExhausted if it is too large.
  absl::StatusOr<Grammar> Build(RuleId start) &&;

 private:
  NodeId Add(GrammarNode node, absl::Span<const NodeId> children);
  absl::Status CheckRules() const;
  absl::Status PruneAll(RuleId start);

  Grammar grammar_;
  absl::flat_hash_map<std::string, RuleId> rule_ids_;
  std::vector<int32_t> nesting_;  // By node.
  absl::Status status_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_GRAMMAR_H_
