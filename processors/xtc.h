#ifndef LOGITCHAIN_PROCESSORS_XTC_H_
#define LOGITCHAIN_PROCESSORS_XTC_H_

#include <cstdint>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"

namespace logitchain {

// Exclude top choices. With fewer than two candidates it does nothing. Otherwise it takes one
// uniform u, and acts if u < probability (or u ≤ probability: Dialect::xtc_chance): of the
// candidates with q ≥ threshold, where q is softmax over the candidates, all go but the last by
// (logit descending, id ascending). It does not act where that would leave fewer than min_keep.
// Comparisons are in the dialect's arithmetic; where removed candidates keep a place, both counts
// are of places.
//
// The uniforms are of a generator that is this rule's alone (BuildContext::AddRandom). How many are
// taken depends on the logits, so that a chain with this rule cannot skip ahead. Source: P. E.
// Weidmann 2024, "Exclude Top Choices (XTC)", oobabooga/text-generation-webui#6335.
class Xtc final : public Cloneable<Filter, Xtc> {
 public:
  Xtc(double probability, double threshold, int32_t min_keep)
      : probability_(probability), threshold_(threshold), min_keep_(min_keep) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  double probability_;
  double threshold_;
  int32_t min_keep_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_XTC_H_
