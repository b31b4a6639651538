#ifndef LOGITCHAIN_PROCESSORS_PENALTY_SCOPE_H_
#define LOGITCHAIN_PROCESSORS_PENALTY_SCOPE_H_

#include "logitchain/core/dialect.h"
#include "logitchain/core/token_history.h"
#include "logitchain/proto/penalties.pb.h"

namespace logitchain {

// The tokens that a penalty counts: what its config says, and else what the dialect does.
template <typename Config>
TokenScope PenaltyTokens(const Config& config, PenaltyScope dialect_scope,
                         const PenaltyRules& rules) {
  const PenaltyScope scope = config.has_scope() ? config.scope() : dialect_scope;
  return {.output_only = scope == OUTPUT_ONLY,
          .last = config.has_window() ? config.window() : rules.window.value_or(TokenScope::kAll)};
}

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_PENALTY_SCOPE_H_
