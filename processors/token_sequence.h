#ifndef LOGITCHAIN_PROCESSORS_TOKEN_SEQUENCE_H_
#define LOGITCHAIN_PROCESSORS_TOKEN_SEQUENCE_H_

#include "absl/types/span.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Whether the last id of this sequence, which is not empty, would complete it: the ids before it
// are the last ones of the tokens that the rule looks at. Costs O(sequence).
bool WouldComplete(absl::Span<const TokenId> sequence, const TokenHistory& history,
                   const SequenceRule& rule);

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_TOKEN_SEQUENCE_H_
