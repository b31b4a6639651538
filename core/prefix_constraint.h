#ifndef LOGITCHAIN_CORE_PREFIX_CONSTRAINT_H_
#define LOGITCHAIN_CORE_PREFIX_CONSTRAINT_H_

#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Gives the ids that may come after these tokens, in any order; behind the rule prefix_constraint.
// It is called at every step, by each chain that uses it, maybe from several threads at once, and
// gives the same answer for the same tokens.
using PrefixConstraint =
    std::function<absl::StatusOr<std::vector<TokenId>>(const TokenHistory& history)>;

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_PREFIX_CONSTRAINT_H_
