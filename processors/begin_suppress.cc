#include "logitchain/processors/begin_suppress.h"

#include <memory>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/processors/checked_ids.h"
#include "logitchain/proto/masks.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status BeginSuppress::Apply(const StepContext& step, CandidateSelector& selector) const {
  if (!step.history.output().empty()) return absl::OkStatus();
  for (const TokenId id : ids_) selector.Remove(id);
  return absl::OkStatus();
}

namespace {

void BuildBeginSuppress(const BeginSuppressConfig& config, BuildContext& context) {
  context.Add(std::make_unique<BeginSuppress>(RequiredIds(config.ids(), "ids", context)));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildBeginSuppress,
                              {.summary = "bans given tokens as the first of the output",
                               .stage = Stage::kMask});

}  // namespace
}  // namespace logitchain
