#ifndef LOGITCHAIN_GRAMMAR_PRUNE_H_
#define LOGITCHAIN_GRAMMAR_PRUNE_H_

#include <vector>

#include "absl/types/span.h"
#include "logitchain/grammar/grammar_node.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// For each node, whether it derives any text. `bodies` are those of the rules; children come before
// their parents.
std::vector<bool> FindProductive(absl::Span<const GrammarNode> nodes,
                                 absl::Span<const NodeId> children, absl::Span<const NodeId> bodies,
                                 RegexArena& regexes);

// Takes out what derives no text and need not occur: alternatives, repetitions from 0 on, members
// that are not required. So no text that a grammar begins is without an end.
void Prune(const std::vector<bool>& productive, std::vector<GrammarNode>& nodes,
           std::vector<NodeId>& children);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_PRUNE_H_
