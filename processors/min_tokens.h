#ifndef LOGITCHAIN_PROCESSORS_MIN_TOKENS_H_
#define LOGITCHAIN_PROCESSORS_MIN_TOKENS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Removes the stop ids while there are fewer than `count` tokens: of the output, or of prompt and
// output together. With exactly `count` they may come. Where nothing but a stop id is left, such as
// by a grammar, the step is an error. Costs O(stop ids). Source: MinLengthLogitsProcessor and
// MinNewTokensLengthLogitsProcessor of Hugging Face transformers.
class MinTokens final : public Cloneable<Filter, MinTokens> {
 public:
  MinTokens(int32_t count, bool count_prompt, std::vector<TokenId> stop_ids)
      : count_(count), count_prompt_(count_prompt), stop_ids_(std::move(stop_ids)) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  int32_t count_;
  bool count_prompt_;
  std::vector<TokenId> stop_ids_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_MIN_TOKENS_H_
