#ifndef LOGITCHAIN_GRAMMAR_ENGINE_DRAFT_FIXPOINT_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_DRAFT_FIXPOINT_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "logitchain/grammar/engine/draft_item.h"
#include "logitchain/grammar/engine/network.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// Items from which their rule can end, and rules that can.
struct Completing {
  std::vector<bool> items;
  std::vector<bool> rules;
};

// The least solution when only terminals with `passes` can be passed: with those that match
// anything, what is not in vain; with those that match the empty text, what derives it. O(edges).
Completing FindCompleting(const Network& network, absl::Span<const DraftItem> items,
                          absl::FunctionRef<bool(RegexId)> passes);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_DRAFT_FIXPOINT_H_
