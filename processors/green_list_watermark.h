#ifndef LOGITCHAIN_PROCESSORS_GREEN_LIST_WATERMARK_H_
#define LOGITCHAIN_PROCESSORS_GREEN_LIST_WATERMARK_H_

#include <cstdint>

#include "absl/status/status.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/transform.h"

namespace logitchain {

// Adds delta to the logit of each token that is green after the last token of the history (see
// green_list.h). Where prompt and output are both empty nothing is added. Costs O(vocabulary).
// WatermarkDetector finds the mark again. Source: Kirchenbauer et al. 2023, "A Watermark for Large
// Language Models", algorithm 2 (soft red list), with a hash per token for the random partition.
class GreenListWatermark final : public Cloneable<Transform, GreenListWatermark> {
 public:
  GreenListWatermark(uint64_t key, double gamma, double delta)
      : key_(key), gamma_(gamma), delta_(delta) {}

  absl::Status Apply(const StepContext& step, LogitEditor& editor) const override;

 private:
  uint64_t key_;
  double gamma_;
  double delta_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_GREEN_LIST_WATERMARK_H_
