#ifndef LOGITCHAIN_CORE_TOKEN_FOLLOWER_H_
#define LOGITCHAIN_CORE_TOKEN_FOLLOWER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Something whose state follows the output tokens of one sequence: a rule, or the terminal. The
// chain calls these functions in step with its history; the prompt is in the history alone. It
// belongs to one chain and is never used by two threads at once.
class TokenFollower {
 public:
  virtual ~TokenFollower() = default;

  // Takes note that `id` was committed. On error the state must be as before; the chain then takes
  // the token back everywhere.
  virtual absl::Status Accept(TokenId id) {
    static_cast<void>(id);
    return absl::OkStatus();
  }

  // Goes back to the state before the last n accepted tokens; n is at most their number. On error
  // the state must be as before.
  virtual absl::Status Rollback(int32_t n) {
    static_cast<void>(n);
    return absl::OkStatus();
  }

  // Goes back to the state before the first token.
  virtual void Reset() {}

 protected:
  TokenFollower() = default;
  TokenFollower(const TokenFollower&) = default;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_TOKEN_FOLLOWER_H_
