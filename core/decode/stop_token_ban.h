#ifndef LOGITCHAIN_CORE_DECODE_STOP_TOKEN_BAN_H_
#define LOGITCHAIN_CORE_DECODE_STOP_TOKEN_BAN_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Removes the stop tokens while there are fewer than `min_tokens` tokens: of the output, or of
// prompt and output together. With exactly `min_tokens` they may come. Where nothing but a stop
// token is left, such as by a grammar, the step is an error. Costs O(stop tokens). It reads the
// chain's history and keeps no state. Source: MinLengthLogitsProcessor and
// MinNewTokensLengthLogitsProcessor of Hugging Face transformers.
class StopTokenBan final : public Cloneable<Filter, StopTokenBan> {
 public:
  StopTokenBan(std::vector<TokenId> stop_tokens, int32_t min_tokens, bool count_prompt = false)
      : stop_tokens_(std::move(stop_tokens)),
        min_tokens_(min_tokens),
        count_prompt_(count_prompt) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  std::vector<TokenId> stop_tokens_;
  int32_t min_tokens_;
  bool count_prompt_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DECODE_STOP_TOKEN_BAN_H_
