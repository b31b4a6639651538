#include "logitchain/processors/presence_frequency_penalty.h"

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

absl::Status PresenceFrequencyPenalty::Apply(const StepContext& step, LogitEditor& editor) const {
  const bool sum_first = step.dialect.penalties.sum_before_subtracting;
  for (const TokenCounts::Entry& seen : step.history.counts(seen_).entries()) {
    editor.Rewrite(seen.id, [&](auto logit) {
      using Real = decltype(logit);
      const Real by_count = static_cast<Real>(frequency_) * static_cast<Real>(seen.count);
      const Real once = static_cast<Real>(presence_);
      return sum_first ? logit - (by_count + once) : (logit - by_count) - once;
    });
  }
  return absl::OkStatus();
}

namespace {

void BuildPresenceFrequencyPenalty(const PresenceFrequencyPenaltyConfig& config,
                                   BuildContext& context) {
  const PenaltyRules& rules = context.dialect().penalties;
  const auto effective = [&](double penalty) {
    return std::abs(penalty) < rules.neutral_within ? 0 : penalty;
  };
  const double presence = effective(config.presence());
  const double frequency = effective(config.frequency());
  if (presence == 0 && frequency == 0) return;
  const TokenScope scope = PenaltyTokens(config, rules.presence_frequency_scope, rules);
  context.Add(
      std::make_unique<PresenceFrequencyPenalty>(presence, frequency, context.Count(scope)));
}

LOGITCHAIN_REGISTER_PROCESSOR(
    BuildPresenceFrequencyPenalty,
    {.summary = "lowers the logits of tokens that were seen, once and per occurrence",
     .stage = Stage::kPresenceFrequency});

}  // namespace
}  // namespace logitchain
