#ifndef LOGITCHAIN_CORE_RANKED_TOKEN_H_
#define LOGITCHAIN_CORE_RANKED_TOKEN_H_

#include "logitchain/core/token_id.h"

namespace logitchain {

// A token with its logit, in the order of the rank: larger logits first, and of equal ones the
// lower ids.
struct RankedToken {
  double logit;
  TokenId id;

  bool operator<(const RankedToken& other) const {
    return logit != other.logit ? logit > other.logit : id < other.id;
  }
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_RANKED_TOKEN_H_
