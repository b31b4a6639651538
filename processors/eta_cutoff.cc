#include "logitchain/processors/eta_cutoff.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/numerics/exact_exp.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/softmax.h"
#include "logitchain/core/stage.h"
#include "logitchain/processors/probability_cutoff.h"
#include "logitchain/proto/filters.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status EtaCutoff::Apply(const StepContext& step, CandidateSelector& selector) const {
  const double entropy = EntropyOf(selector.Probabilities());
  const double eta = std::min(epsilon_, std::sqrt(epsilon_) * ExactExp(-entropy));
  KeepProbable(step.dialect, eta, min_keep_, selector);
  return absl::OkStatus();
}

namespace {

void BuildEtaCutoff(const EtaCutoffConfig& config, BuildContext& context) {
  if (config.epsilon() == 0) return;
  context.Add(std::make_unique<EtaCutoff>(config.epsilon(), config.min_keep()));
}

LOGITCHAIN_REGISTER_PROCESSOR(
    BuildEtaCutoff, {.summary = "keeps the tokens above a probability that depends on the entropy",
                     .stage = Stage::kEta,
                     .keeps_argmax = true});

}  // namespace
}  // namespace logitchain
