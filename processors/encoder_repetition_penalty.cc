#include "logitchain/processors/encoder_repetition_penalty.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"
#include "logitchain/processors/checked_ids.h"
#include "logitchain/proto/penalties.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status EncoderRepetitionPenalty::Apply(const StepContext&, LogitEditor& editor) const {
  const auto favour = [this](auto logit) {
    const auto penalty = static_cast<decltype(logit)>(penalty_);
    return logit > 0 ? logit * penalty : logit / penalty;
  };
  for (const TokenId id : ids_) editor.Rewrite(id, favour);
  return absl::OkStatus();
}

namespace {

void BuildEncoderRepetitionPenalty(const EncoderRepetitionPenaltyConfig& config,
                                   BuildContext& context) {
  std::vector<TokenId> ids = CheckedIds(config.text_ids(), "text_ids", context);
  if (config.penalty() == 1 || ids.empty()) return;
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  context.Add(std::make_unique<EncoderRepetitionPenalty>(config.penalty(), std::move(ids)));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildEncoderRepetitionPenalty,
                              {.summary = "makes the tokens of a given text more likely, once each",
                               .stage = Stage::kRepetition});

}  // namespace
}  // namespace logitchain
