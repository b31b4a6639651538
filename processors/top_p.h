#ifndef LOGITCHAIN_PROCESSORS_TOP_P_H_
#define LOGITCHAIN_PROCESSORS_TOP_P_H_

#include <cstdint>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/proto/filters.pb.h"

namespace logitchain {

// Nucleus sampling: softmax over the candidates, a running sum in the order (logit descending, id
// ascending), and all stay up to and including the token at which the sum reaches p (or exceeds it;
// `crossing`). That token is never dropped, and if the sum stays below p all stay. Source: Holtzman
// et al. 2020, section 3.1.
class TopP final : public Cloneable<Filter, TopP> {
 public:
  TopP(double p, TopPConfig::Crossing crossing, int32_t min_keep)
      : p_(p), crossing_(crossing), min_keep_(min_keep) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  double p_;
  TopPConfig::Crossing crossing_;
  int32_t min_keep_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_TOP_P_H_
