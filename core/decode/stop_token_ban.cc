#include "logitchain/core/decode/stop_token_ban.h"

#include <cstddef>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

absl::Status StopTokenBan::Apply(const StepContext& step, CandidateSelector& selector) const {
  const size_t tokens = count_prompt_ ? step.history.all().size() : step.history.output().size();
  if (tokens >= static_cast<size_t>(min_tokens_)) return absl::OkStatus();
  for (const TokenId id : stop_tokens_) selector.Remove(id);
  return absl::OkStatus();
}

}  // namespace logitchain
