#include "logitchain/processors/token_sequence.h"

#include <cstddef>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

bool WouldComplete(absl::Span<const TokenId> sequence, const TokenHistory& history,
                   const SequenceRule& rule) {
  const absl::Span<const TokenId> prefix = sequence.first(sequence.size() - 1);
  if (prefix.empty()) return true;
  const absl::Span<const TokenId> seen =
      rule.scope == OUTPUT_ONLY ? history.output() : history.all();
  const size_t needed = rule.must_fit ? sequence.size() : prefix.size();
  return seen.size() >= needed && absl::c_equal(seen.last(prefix.size()), prefix);
}

}  // namespace logitchain
