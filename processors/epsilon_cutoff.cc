#include "logitchain/processors/epsilon_cutoff.h"

#include <memory>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/processors/probability_cutoff.h"
#include "logitchain/proto/filters.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status EpsilonCutoff::Apply(const StepContext& step, CandidateSelector& selector) const {
  KeepProbable(step.dialect, epsilon_, min_keep_, selector);
  return absl::OkStatus();
}

namespace {

void BuildEpsilonCutoff(const EpsilonCutoffConfig& config, BuildContext& context) {
  if (config.epsilon() == 0) return;
  context.Add(std::make_unique<EpsilonCutoff>(config.epsilon(), config.min_keep()));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildEpsilonCutoff,
                              {.summary = "keeps the tokens with probability epsilon or more",
                               .stage = Stage::kEpsilon,
                               .keeps_argmax = true});

}  // namespace
}  // namespace logitchain
