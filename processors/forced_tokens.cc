#include "logitchain/processors/forced_tokens.h"

#include <cstddef>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"
#include "logitchain/processors/token_bitmask.h"
#include "logitchain/proto/masks.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

std::optional<TokenId> ForcedTokenPlan::Due(const TokenHistory& history) const {
  if (last_id && history.all().size() + 1 == static_cast<size_t>(max_length)) return last_id;
  if (history.output().empty()) return first_id;
  return std::nullopt;
}

absl::Status ForcedTokens::Apply(const StepContext& step, CandidateSelector& selector) const {
  const std::optional<TokenId> due = plan_.Due(step.history);
  if (!due) return absl::OkStatus();
  AllowOnly({&*due, 1}, selector.vocab_size(), words_);
  selector.KeepAllowed(words_);
  return absl::OkStatus();
}

absl::Status ForcedTokenLogit::Apply(const StepContext& step, LogitEditor& editor) const {
  const std::optional<TokenId> due = plan_.Due(step.history);
  if (due) editor.Set(*due, 0);
  return absl::OkStatus();
}

namespace {

void BuildForcedTokens(const ForcedTokensConfig& config, BuildContext& context) {
  if (!config.has_first_id() && !config.has_last_id()) {
    return context.AddError("", "forces nothing; it must have first_id or last_id");
  }
  if (config.has_last_id() != config.has_max_length()) {
    return context.AddError("", "must have both of last_id and max_length, or neither");
  }
  ForcedTokenPlan plan;
  if (config.has_first_id()) {
    context.CheckTokenId("first_id", config.first_id());
    plan.first_id = config.first_id();
  }
  if (config.has_last_id()) {
    context.CheckTokenId("last_id", config.last_id());
    plan.last_id = config.last_id();
    plan.max_length = config.max_length();
  }
  context.Add(std::make_unique<ForcedTokens>(plan));
  context.Add(std::make_unique<ForcedTokenLogit>(plan));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildForcedTokens,
                              {.summary = "leaves one token at the first step or at the last",
                               .stage = Stage::kMask});

}  // namespace
}  // namespace logitchain
