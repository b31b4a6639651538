#include "logitchain/processors/quadratic_smoothing.h"

#include <memory>

#include "absl/status/status.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/transform.h"
#include "logitchain/proto/shape.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status QuadraticSmoothing::Apply(const StepContext&, LogitEditor& editor) const {
  const double max = editor.MaxLogit();
  const double quadratic = (3 - curve_) / 2 * factor_;
  const double cubic = (curve_ - 1) / 2 * factor_;
  editor.RewriteAll(
      [&](auto logit) {
        using Real = decltype(logit);
        const Real d = logit - static_cast<Real>(max);
        const Real square = d * d;
        // A parabola alone must not suffer from a cube that overflows.
        const Real cube = cubic == 0 ? 0 : static_cast<Real>(cubic) * (square * d);
        return -(static_cast<Real>(quadratic) * square) + cube + static_cast<Real>(max);
      },
      /*keeps_order=*/curve_ <= 3);
  return absl::OkStatus();
}

namespace {

void BuildQuadraticSmoothing(const QuadraticSmoothingConfig& config, BuildContext& context) {
  if (config.smoothing_factor() == 0) return;
  context.Add(
      std::make_unique<QuadraticSmoothing>(config.smoothing_factor(), config.smoothing_curve()));
}

LOGITCHAIN_REGISTER_PROCESSOR(
    BuildQuadraticSmoothing,
    {.summary = "evens out the most likely tokens and lowers the others, by a parabola",
     .stage = Stage::kSmoothing});

}  // namespace
}  // namespace logitchain
