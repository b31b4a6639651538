#include "logitchain/processors/repetition_penalty.h"

#include <cmath>
#include <memory>

#include "absl/status/status.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/transform.h"
#include "logitchain/processors/penalty_scope.h"
#include "logitchain/proto/penalties.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status RepetitionPenalty::Apply(const StepContext& step, LogitEditor& editor) const {
  const auto penalise = [this](auto logit) {
    const auto penalty = static_cast<decltype(logit)>(penalty_);
    return logit > 0 ? logit / penalty : logit * penalty;
  };
  for (const TokenCounts::Entry& seen : step.history.counts(seen_).entries()) {
    editor.Rewrite(seen.id, penalise);
  }
  return absl::OkStatus();
}

namespace {

void BuildRepetitionPenalty(const RepetitionPenaltyConfig& config, BuildContext& context) {
  const PenaltyRules& rules = context.dialect().penalties;
  const double penalty = config.penalty();
  if (penalty == 1 || penalty < rules.repetition_ignored_below ||
      std::abs(penalty - 1) < rules.neutral_within) {
    return;
  }
  TokenScope scope = PenaltyTokens(config, rules.repetition_scope, rules);
  scope.skip = config.prompt_ignore_length();
  context.Add(std::make_unique<RepetitionPenalty>(penalty, context.Count(scope)));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildRepetitionPenalty,
                              {.summary = "makes tokens that were seen less likely, once each",
                               .stage = Stage::kRepetition});

}  // namespace
}  // namespace logitchain
