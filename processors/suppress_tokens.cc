#include "logitchain/processors/suppress_tokens.h"

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

absl::Status SuppressTokens::Apply(const StepContext&, CandidateSelector& selector) const {
  for (const TokenId id : ids_) selector.Remove(id);
  return absl::OkStatus();
}

namespace {

void BuildSuppressTokens(const SuppressTokensConfig& config, BuildContext& context) {
  context.Add(std::make_unique<SuppressTokens>(RequiredIds(config.ids(), "ids", context)));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildSuppressTokens,
                              {.summary = "bans given tokens", .stage = Stage::kMask});

}  // namespace
}  // namespace logitchain
