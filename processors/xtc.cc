#include "logitchain/processors/xtc.h"

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/arithmetic.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/proto/filters.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {
namespace {

bool Acts(XtcChance chance, double u, double probability) {
  return chance == XtcChance::kUpTo ? u <= probability : u < probability;
}

// Removes all candidates with at least this probability but the last of them.
template <typename Real>
void RemoveTopChoices(CandidateSelector& selector, Real threshold, int32_t min_keep) {
  selector.Sort();
  const absl::Span<const double> q = selector.Probabilities();
  const absl::Span<const double> logits = selector.logits();
  const auto is_top = [&](size_t i) { return logits[i] != kRemoved && q[i] >= threshold; };
  size_t tops = 0;
  size_t last = 0;
  for (size_t i = 0; i < q.size(); ++i) {
    if (!is_top(i)) continue;
    if (tops == 0 || logits[i] <= logits[last]) last = i;
    ++tops;
  }
  if (tops < 2 || q.size() - (tops - 1) < static_cast<size_t>(min_keep)) return;
  selector.KeepIf([&](size_t i) { return i == last || !is_top(i); });
}

}  // namespace

absl::Status Xtc::Apply(const StepContext& step, CandidateSelector& selector) const {
  if (selector.size() < 2) return absl::OkStatus();
  const double u = step.uniforms.Next();
  InArithmetic(step.dialect.arithmetic, [&](auto zero) {
    using Real = decltype(zero);
    if (!Acts(step.dialect.xtc_chance, u, static_cast<Real>(probability_))) return;
    RemoveTopChoices(selector, static_cast<Real>(threshold_), min_keep_);
  });
  return absl::OkStatus();
}

namespace {

void BuildXtc(const XtcConfig& config, BuildContext& context) {
  constexpr double kLargestThreshold = 0.5;  // Above it there cannot be two top choices.
  if (config.probability() <= 0 || config.threshold() > kLargestThreshold) return;
  context.AddRandom(
      std::make_unique<Xtc>(config.probability(), config.threshold(), config.min_keep()),
      config.has_seed() ? config.seed() : context.seed());
}

LOGITCHAIN_REGISTER_PROCESSOR(
    BuildXtc, {.summary = "by chance, removes the top choices but the least likely of them",
               .stage = Stage::kXtc});

}  // namespace
}  // namespace logitchain
