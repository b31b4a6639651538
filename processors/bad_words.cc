#include "logitchain/processors/bad_words.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/processors/checked_ids.h"
#include "logitchain/processors/token_sequence.h"
#include "logitchain/proto/masks.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status BadWords::Apply(const StepContext& step, CandidateSelector& selector) const {
  for (const std::vector<TokenId>& sequence : sequences_) {
    if (WouldComplete(sequence, step.history, step.dialect.sequences)) {
      selector.Remove(sequence.back());
    }
  }
  return absl::OkStatus();
}

namespace {

void BuildBadWords(const BadWordsConfig& config, BuildContext& context) {
  if (config.sequences().empty()) {
    return context.AddError("sequences", "is empty; it must have at least one sequence");
  }
  const std::vector<TokenId> stop_ids = CheckedIds(config.stop_ids(), "stop_ids", context);
  std::vector<std::vector<TokenId>> sequences;
  for (int i = 0; i < config.sequences_size(); ++i) {
    std::vector<TokenId> sequence =
        RequiredIds(config.sequences(i).ids(), absl::StrCat("sequences[", i, "].ids"), context);
    const bool is_stop = sequence.size() == 1 && absl::c_linear_search(stop_ids, sequence[0]);
    if (!is_stop) sequences.push_back(std::move(sequence));
  }
  context.Add(std::make_unique<BadWords>(std::move(sequences)));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildBadWords,
                              {.summary = "bans the tokens that would complete given sequences",
                               .stage = Stage::kMask});

}  // namespace
}  // namespace logitchain
