#ifndef LOGITCHAIN_CORE_TOKEN_MASK_PROVIDER_H_
#define LOGITCHAIN_CORE_TOKEN_MASK_PROVIDER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Says at each step which tokens may come; a grammar engine behind the rule grammar_mask. The chain
// calls the state functions in step with its history, and never from two threads at once.
class TokenMaskProvider {
 public:
  virtual ~TokenMaskProvider() = default;

  // Writes the mask of the next token: ⌈vocabulary / 32⌉ words, bit i of word w is token 32·w + i,
  // 1 is allowed; the layout of XGrammar and llguidance. Spare bits are ignored. `mask` comes in
  // with all bits 0.
  virtual absl::Status FillMask(absl::Span<int32_t> mask) = 0;

  // Why the mask of the next token has no bit that is 1, for the error that a step then is; empty
  // where nothing is to be said.
  virtual std::string WhyNone() { return ""; }

  // Whether the text may end here. Where it may and the mask has no bit that is 1, the step is a
  // regular end of the text (text_end.h).
  virtual bool MayEnd() { return false; }

  // Takes note that `id` was committed. On error the state must be as before.
  virtual absl::Status Accept(TokenId id) = 0;

  // Goes back to the state before the last n accepted tokens. On error the state must be as before.
  virtual absl::Status Rollback(int32_t n) = 0;

  // Goes back to the state before the first token.
  virtual void Reset() = 0;

  // A copy in the same state that shares nothing mutable with this provider.
  virtual std::unique_ptr<TokenMaskProvider> Clone() const = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_TOKEN_MASK_PROVIDER_H_
