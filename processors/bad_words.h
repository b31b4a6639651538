#ifndef LOGITCHAIN_PROCESSORS_BAD_WORDS_H_
#define LOGITCHAIN_PROCESSORS_BAD_WORDS_H_

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Removes the last token of each sequence whose other tokens, all of them, are the last ones of the
// history; of a sequence of one token, always. Costs O(ids of all sequences).
//
// Dialects differ in the history that they look at: prompt and output, with VLLM the output only;
// with HUGGING_FACE a sequence that is longer than the history so far is passed over, although its
// last token is the next one. Source: NoBadWordsLogitsProcessor of Hugging Face transformers.
class BadWords final : public Cloneable<Filter, BadWords> {
 public:
  // No sequence is empty.
  explicit BadWords(std::vector<std::vector<TokenId>> sequences)
      : sequences_(std::move(sequences)) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  std::vector<std::vector<TokenId>> sequences_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_BAD_WORDS_H_
