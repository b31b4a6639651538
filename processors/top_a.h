#ifndef LOGITCHAIN_PROCESSORS_TOP_A_H_
#define LOGITCHAIN_PROCESSORS_TOP_A_H_

#include <cstdint>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"

namespace logitchain {

// Keeps the tokens with q ≥ a · (max q)², where q is softmax over the candidates; a token that is
// exactly on the bound stays, and so do all that tie with the most likely one. Costs O(candidates).
// Source: BlinkDL, RWKV-LM; TopALogitsWarper of KoboldAI and text-generation-webui.
class TopA final : public Cloneable<Filter, TopA> {
 public:
  TopA(double a, int32_t min_keep) : a_(a), min_keep_(min_keep) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  double a_;
  int32_t min_keep_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_TOP_A_H_
