#ifndef LOGITCHAIN_PROCESSORS_SEQUENCE_BIAS_H_
#define LOGITCHAIN_PROCESSORS_SEQUENCE_BIAS_H_

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"

namespace logitchain {

// A sequence of tokens, not empty, and what its last one gets.
struct BiasedSequence {
  std::vector<TokenId> ids;
  double bias;
};

// Adds its bias to the last token of each sequence whose other tokens, all of them, are the last
// ones of the history; of a sequence of one token, always. The biases of one token are first added
// up, in the order of the sequences, and their sum is then added to its logit. Costs O(ids of all
// sequences).
//
// A bias of −∞ is no part of this: it makes the sequence one of BadWords, which stands among the
// masks. Dialects differ in the history that they look at as they do there. Source:
// SequenceBiasLogitsProcessor of Hugging Face transformers.
class SequenceBias final : public Cloneable<Transform, SequenceBias> {
 public:
  explicit SequenceBias(std::vector<BiasedSequence> sequences);

  absl::Status Apply(const StepContext& step, LogitEditor& editor) const override;

 private:
  std::vector<BiasedSequence> sequences_;  // By last token, otherwise as given.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_SEQUENCE_BIAS_H_
