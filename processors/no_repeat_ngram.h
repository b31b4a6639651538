#ifndef LOGITCHAIN_PROCESSORS_NO_REPEAT_NGRAM_H_
#define LOGITCHAIN_PROCESSORS_NO_REPEAT_NGRAM_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_id.h"
#include "logitchain/processors/followers.h"

namespace logitchain {

// Removes every token with which the last n tokens of prompt and output would be an n-gram of
// prompt and output, or of a given text. With a history of fewer than n − 1 tokens nothing is
// removed. Costs O(history + text), and O(1) a removed token. Sources: Paulus et al. 2018,
// section 2.5; NoRepeatNGramLogitsProcessor and EncoderNoRepeatNGramLogitsProcessor of Hugging Face
// transformers.
class NoRepeatNgram final : public Cloneable<Filter, NoRepeatNgram> {
 public:
  // `size` is at least 1; an empty text means the history.
  NoRepeatNgram(int32_t size, std::vector<TokenId> text) : size_(size), text_(std::move(text)) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  int32_t size_;
  std::vector<TokenId> text_;
  mutable FollowerFinder finder_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_NO_REPEAT_NGRAM_H_
