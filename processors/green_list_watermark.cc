#include "logitchain/processors/green_list_watermark.h"

#include <memory>

#include "absl/status/status.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"
#include "logitchain/processors/green_list.h"
#include "logitchain/proto/bias.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status GreenListWatermark::Apply(const StepContext& step, LogitEditor& editor) const {
  if (step.history.all().empty()) return absl::OkStatus();
  const GreenList green(key_, gamma_, step.history.all().back());
  editor.RewriteEach([&](TokenId id, auto logit) {
    return green.IsGreen(id) ? logit + static_cast<decltype(logit)>(delta_) : logit;
  });
  return absl::OkStatus();
}

namespace {

void BuildGreenListWatermark(const GreenListWatermarkConfig& config, BuildContext& context) {
  if (config.delta() == 0) return;
  context.Add(std::make_unique<GreenListWatermark>(config.key(), config.gamma(), config.delta()));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildGreenListWatermark,
                              {.summary = "marks the text so that a key can tell it from others",
                               .stage = Stage::kBias});

}  // namespace
}  // namespace logitchain
