#ifndef LOGITCHAIN_PROCESSORS_QUADRATIC_SMOOTHING_H_
#define LOGITCHAIN_PROCESSORS_QUADRATIC_SMOOTHING_H_

#include "absl/status/status.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/transform.h"

namespace logitchain {

// With d = l − max l over the candidates, k = (3 − curve) / 2, s = (curve − 1) / 2 and factor f:
//   l becomes −(k·f·d²) + s·f·d³ + max l
// The largest logit stays as it is. For a curve of at most 3 the order of the candidates stays;
// above 3 those with 0 < −d < (curve − 3) / (curve − 1) rise above the largest. A logit far below
// the largest may fall out of the arithmetic's range, which is an error. Costs O(candidates).
// Sources: kalomaze, text-generation-webui pull requests 5403 (quadratic) and 5551 (curve).
class QuadraticSmoothing final : public Cloneable<Transform, QuadraticSmoothing> {
 public:
  QuadraticSmoothing(double factor, double curve) : factor_(factor), curve_(curve) {}

  absl::Status Apply(const StepContext& step, LogitEditor& editor) const override;

 private:
  double factor_;
  double curve_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_QUADRATIC_SMOOTHING_H_
