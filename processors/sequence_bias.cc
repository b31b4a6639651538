#include "logitchain/processors/sequence_bias.h"

#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "logitchain/core/arithmetic.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"
#include "logitchain/processors/bad_words.h"
#include "logitchain/processors/checked_ids.h"
#include "logitchain/processors/token_sequence.h"
#include "logitchain/proto/bias.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

SequenceBias::SequenceBias(std::vector<BiasedSequence> sequences)
    : sequences_(std::move(sequences)) {
  absl::c_stable_sort(sequences_, [](const BiasedSequence& a, const BiasedSequence& b) {
    return a.ids.back() < b.ids.back();
  });
}

absl::Status SequenceBias::Apply(const StepContext& step, LogitEditor& editor) const {
  InArithmetic(step.dialect.arithmetic, [&](auto zero) {
    using Real = decltype(zero);
    for (auto sequence = sequences_.begin(); sequence != sequences_.end();) {
      const TokenId id = sequence->ids.back();
      std::optional<Real> sum;
      for (; sequence != sequences_.end() && sequence->ids.back() == id; ++sequence) {
        if (!WouldComplete(sequence->ids, step.history, step.dialect.sequences)) continue;
        sum = sum.value_or(0) + static_cast<Real>(sequence->bias);
      }
      if (!sum) continue;
      editor.Rewrite(id, [&](auto logit) { return logit + static_cast<decltype(logit)>(*sum); });
    }
  });
  return absl::OkStatus();
}

namespace {

void BuildSequenceBias(const SequenceBiasConfig& config, BuildContext& context) {
  if (config.sequences().empty()) {
    return context.AddError("sequences", "is empty; it must have at least one sequence");
  }
  std::vector<BiasedSequence> biased;
  std::vector<std::vector<TokenId>> banned;
  for (int i = 0; i < config.sequences_size(); ++i) {
    const SequenceBiasConfig::Sequence& sequence = config.sequences(i);
    const std::string field = absl::StrCat("sequences[", i, "]");
    std::vector<TokenId> ids = RequiredIds(sequence.ids(), absl::StrCat(field, ".ids"), context);
    if (!sequence.has_bias()) {
      context.AddError(absl::StrCat(field, ".bias"), "is not set; it must be given");
    } else if (std::isinf(sequence.bias())) {
      banned.push_back(std::move(ids));
    } else {
      biased.push_back({std::move(ids), sequence.bias()});
    }
  }
  if (!banned.empty()) context.Add(Stage::kMask, std::make_unique<BadWords>(std::move(banned)));
  if (!biased.empty()) context.Add(std::make_unique<SequenceBias>(std::move(biased)));
}

LOGITCHAIN_REGISTER_PROCESSOR(
    BuildSequenceBias,
    {.summary = "adds to the logits of tokens that would complete given sequences",
     .stage = Stage::kBias});

}  // namespace
}  // namespace logitchain
