#ifndef LOGITCHAIN_PROCESSORS_TOP_K_H_
#define LOGITCHAIN_PROCESSORS_TOP_K_H_

#include <cstdint>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/proto/filters.pb.h"

namespace logitchain {

// Keeps the k largest logits. Of several that equal the k-th, the lowest ids fill up the k, or all
// stay (`ties`). With fewer than k candidates all stay. Source: Fan et al. 2018, section 5.
class TopK final : public Cloneable<Filter, TopK> {
 public:
  // k is at least 1.
  TopK(int64_t k, TopKConfig::Ties ties) : k_(k), ties_(ties) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  int64_t k_;
  TopKConfig::Ties ties_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_TOP_K_H_
