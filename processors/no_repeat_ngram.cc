#include "logitchain/processors/no_repeat_ngram.h"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/processors/checked_ids.h"
#include "logitchain/processors/followers.h"
#include "logitchain/proto/masks.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status NoRepeatNgram::Apply(const StepContext& step, CandidateSelector& selector) const {
  const absl::Span<const TokenId> history = step.history.all();
  const auto prefix_size = static_cast<size_t>(size_ - 1);
  if (history.size() < prefix_size) return absl::OkStatus();
  const absl::Span<const TokenId> text = text_.empty() ? history : absl::MakeConstSpan(text_);
  for (const TokenId id : finder_.Find(text, history.last(prefix_size))) selector.Remove(id);
  return absl::OkStatus();
}

namespace {

void BuildNoRepeatNgram(const NoRepeatNgramConfig& config, BuildContext& context) {
  std::vector<TokenId> text = CheckedIds(config.text_ids(), "text_ids", context);
  if (config.size() == 0) return;
  context.Add(std::make_unique<NoRepeatNgram>(config.size(), std::move(text)));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildNoRepeatNgram,
                              {.summary = "bans tokens that would repeat an n-gram",
                               .stage = Stage::kMask});

}  // namespace
}  // namespace logitchain
