#include <memory>
#include <utility>
#include <vector>

#include "logitchain/core/decode/stop_token_ban.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/processors/checked_ids.h"
#include "logitchain/proto/masks.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

namespace {

void BuildMinTokens(const MinTokensConfig& config, BuildContext& context) {
  if (config.count() == 0) {
    CheckedIds(config.stop_ids(), "stop_ids", context);
    return;
  }
  std::vector<TokenId> stop_ids = RequiredIds(config.stop_ids(), "stop_ids", context);
  context.Add(
      std::make_unique<StopTokenBan>(std::move(stop_ids), config.count(), config.count_prompt()));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildMinTokens,
                              {.summary = "bans the stop ids until there are enough tokens",
                               .stage = Stage::kMask});

}  // namespace
}  // namespace logitchain
