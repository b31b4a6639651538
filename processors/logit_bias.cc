#include "logitchain/processors/logit_bias.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"
#include "logitchain/proto/bias.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status LogitBias::Apply(const StepContext&, LogitEditor& editor) const {
  for (const Entry& entry : entries_) {
    editor.Rewrite(entry.id, [&entry](auto logit) {
      using Real = decltype(logit);
      return logit + static_cast<Real>(entry.bias);
    });
  }
  return absl::OkStatus();
}

absl::Status TokenBan::Apply(const StepContext&, CandidateSelector& selector) const {
  for (const TokenId id : ids_) selector.Remove(id);
  return absl::OkStatus();
}

namespace {

void CheckTokens(const LogitBiasConfig& config, BuildContext& context) {
  for (int i = 0; i < config.token_size(); ++i) {
    const std::string field = absl::StrCat("token[", i, "].id");
    if (config.token(i).has_id()) {
      context.CheckTokenId(field, config.token(i).id());
    } else {
      context.AddError(field, "is not set; it must be the id of a token");
    }
  }
}

void BuildLogitBias(const LogitBiasConfig& config, BuildContext& context) {
  CheckTokens(config, context);
  std::vector<LogitBias::Entry> entries;
  std::vector<TokenId> banned;
  for (const LogitBiasConfig::Token& token : config.token()) {
    if (std::isinf(token.bias())) {
      banned.push_back(token.id());
    } else if (token.bias() != 0) {
      entries.push_back({token.id(), token.bias()});
    }
  }
  if (!banned.empty()) context.Add(Stage::kMask, std::make_unique<TokenBan>(std::move(banned)));
  if (!entries.empty()) context.Add(std::make_unique<LogitBias>(std::move(entries)));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildLogitBias,
                              {.summary = "adds to the logits of single tokens, or bans them",
                               .stage = Stage::kBias});

}  // namespace
}  // namespace logitchain
