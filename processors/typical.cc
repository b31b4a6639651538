#include "logitchain/processors/typical.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/arithmetic.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {
namespace {

template <typename Real>
std::vector<Real> Scores(absl::Span<const double> q) {
  const Real entropy = EntropyIn<Real>(q);
  std::vector<Real> scores(q.size());
  absl::c_transform(q, scores.begin(), [entropy](double value) {
    return std::abs(-Log(static_cast<Real>(value)) - entropy);
  });
  return scores;
}

// How many of the candidates, taken in this order, it needs for the mass.
template <typename Real>
size_t CountForMass(absl::Span<const double> q, absl::Span<const int32_t> order, Real mass,
                    TopPConfig::Crossing crossing, size_t min_keep) {
  Real sum = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    sum += static_cast<Real>(q[order[i]]);
    const bool crosses = crossing == TopPConfig::REACHES ? sum >= mass : sum > mass;
    if (crosses && i + 1 >= min_keep) return i + 1;
  }
  return order.size();
}

template <typename Real>
void KeepTypical(CandidateSelector& selector, const TypicalRule& rule, Real mass,
                 int32_t min_keep) {
  selector.Sort();
  const absl::Span<const double> q = selector.Probabilities();
  const std::vector<Real> scores = Scores<Real>(q);
  const absl::Span<const int32_t> rank = selector.Rank();
  std::vector<int32_t> order(rank.begin(), rank.end());
  absl::c_stable_sort(order, [&](int32_t a, int32_t b) { return scores[a] < scores[b]; });
  size_t n = CountForMass(q, order, mass, rule.crossing, min_keep);
  if (rule.keeps_ties) {
    while (n < order.size() && scores[order[n]] == scores[order[n - 1]]) ++n;
  }
  selector.KeepPositions(absl::MakeConstSpan(order).first(n));
}

}  // namespace

absl::Status Typical::Apply(const StepContext& step, CandidateSelector& selector) const {
  if (selector.TryKeepTypical(p_, min_keep_)) return absl::OkStatus();
  InArithmetic(step.dialect.arithmetic, [&](auto zero) {
    KeepTypical(selector, step.dialect.typical, static_cast<decltype(zero)>(p_), min_keep_);
  });
  return absl::OkStatus();
}

namespace {

void BuildTypical(const TypicalConfig& config, BuildContext& context) {
  if (config.p() >= 1) return;
  context.Add(std::make_unique<Typical>(config.p(), config.min_keep()));
}

LOGITCHAIN_REGISTER_PROCESSOR(
    BuildTypical, {.summary = "keeps the tokens whose surprise is closest to the entropy",
                   .stage = Stage::kTypical});

}  // namespace
}  // namespace logitchain
