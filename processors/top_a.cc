#include "logitchain/processors/top_a.h"

#include <memory>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/arithmetic.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/processors/probability_cutoff.h"
#include "logitchain/proto/filters.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status TopA::Apply(const StepContext& step, CandidateSelector& selector) const {
  const absl::Span<const double> q = selector.Probabilities();
  const double largest = *absl::c_max_element(q);
  const double cutoff = InArithmetic(step.dialect.arithmetic, [&](auto zero) -> double {
    using Real = decltype(zero);
    const Real max = static_cast<Real>(largest);
    return max * max * static_cast<Real>(a_);
  });
  KeepProbable(step.dialect, cutoff, min_keep_, selector);
  return absl::OkStatus();
}

namespace {

void BuildTopA(const TopAConfig& config, BuildContext& context) {
  if (config.a() == 0) return;
  context.Add(std::make_unique<TopA>(config.a(), config.min_keep()));
}

LOGITCHAIN_REGISTER_PROCESSOR(
    BuildTopA, {.summary = "keeps the tokens with at least a times the largest probability squared",
                .stage = Stage::kTopA,
                .keeps_argmax = true});

}  // namespace
}  // namespace logitchain
