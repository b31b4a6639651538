#include "logitchain/processors/min_tokens.h"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

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

absl::Status MinTokens::Apply(const StepContext& step, CandidateSelector& selector) const {
  const size_t tokens = count_prompt_ ? step.history.all().size() : step.history.output().size();
  if (tokens >= static_cast<size_t>(count_)) return absl::OkStatus();
  for (const TokenId id : stop_ids_) selector.Remove(id);
  return absl::OkStatus();
}

namespace {

void BuildMinTokens(const MinTokensConfig& config, BuildContext& context) {
  if (config.count() == 0) {
    CheckedIds(config.stop_ids(), "stop_ids", context);
    return;
  }
  std::vector<TokenId> stop_ids = RequiredIds(config.stop_ids(), "stop_ids", context);
  context.Add(
      std::make_unique<MinTokens>(config.count(), config.count_prompt(), std::move(stop_ids)));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildMinTokens,
                              {.summary = "bans the stop ids until there are enough tokens",
                               .stage = Stage::kMask});

}  // namespace
}  // namespace logitchain
