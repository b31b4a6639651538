#include "logitchain/processors/typical.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
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
void FindScores(absl::Span<const double> q, std::vector<double>& scores) {
  const Real entropy = EntropyIn<Real>(q);
  scores.resize(q.size());
  absl::c_transform(q, scores.begin(), [entropy](double value) {
    return std::abs(-Log(static_cast<Real>(value)) - entropy);
  });
}

// Fills `order` with the positions by score; those that tie stay in the order of `rank`.
void OrderByScore(absl::Span<const double> scores, absl::Span<const int32_t> rank,
                  std::vector<int32_t>& order) {
  order.resize(rank.size());
  std::iota(order.begin(), order.end(), 0);
  absl::c_sort(order, [&](int32_t a, int32_t b) {
    return std::pair(scores[rank[a]], a) < std::pair(scores[rank[b]], b);
  });
  absl::c_transform(order, order.begin(), [rank](int32_t i) { return rank[i]; });
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

}  // namespace

template <typename Real>
void Typical::KeepTypical(CandidateSelector& selector, const TypicalRule& rule) const {
  selector.Sort();
  const absl::Span<const double> q = selector.Probabilities();
  FindScores<Real>(q, scores_);
  OrderByScore(scores_, selector.Rank(), order_);
  size_t n = CountForMass(q, order_, static_cast<Real>(p_), rule.crossing, min_keep_);
  if (rule.keeps_ties) {
    while (n < order_.size() && scores_[order_[n]] == scores_[order_[n - 1]]) ++n;
  }
  selector.KeepPositions(absl::MakeConstSpan(order_).first(n));
}

absl::Status Typical::Apply(const StepContext& step, CandidateSelector& selector) const {
  if (selector.TryKeepTypical(p_, min_keep_)) return absl::OkStatus();
  InArithmetic(step.dialect.arithmetic,
               [&](auto zero) { KeepTypical<decltype(zero)>(selector, step.dialect.typical); });
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
