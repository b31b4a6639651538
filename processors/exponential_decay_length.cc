#include "logitchain/processors/exponential_decay_length.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"
#include "logitchain/processors/checked_ids.h"
#include "logitchain/processors/integer_power.h"
#include "logitchain/proto/bias.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status ExponentialDecayLength::Apply(const StepContext& step, LogitEditor& editor) const {
  const int64_t late = static_cast<int64_t>(step.history.output().size()) - start_;
  if (late <= 0) return absl::OkStatus();
  const double growth = std::min(IntegerPower(factor_, late) - 1, kLargestShift);
  for (const TokenId id : stop_ids_) {
    editor.Rewrite(id, [growth](auto logit) {
      using Real = decltype(logit);
      const Real rise = std::abs(logit) * static_cast<Real>(growth);
      return logit + std::min(rise, static_cast<Real>(kLargestShift));
    });
  }
  return absl::OkStatus();
}

namespace {

// A stop id that is listed twice is raised once.
std::vector<TokenId> WithoutRepeats(std::vector<TokenId> ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

void BuildExponentialDecayLength(const ExponentialDecayLengthConfig& config,
                                 BuildContext& context) {
  if (config.factor() == 1) {
    CheckedIds(config.stop_ids(), "stop_ids", context);
    return;
  }
  context.Add(std::make_unique<ExponentialDecayLength>(
      config.start(), config.factor(),
      WithoutRepeats(RequiredIds(config.stop_ids(), "stop_ids", context))));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildExponentialDecayLength,
                              {.summary = "makes the stop ids more likely the longer the output is",
                               .stage = Stage::kBias});

}  // namespace
}  // namespace logitchain
