#include "logitchain/processors/tail_free.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/arithmetic.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/proto/filters.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {
namespace {

// Fills `curvature` with the |second differences| of the probabilities in rank order.
template <typename Real>
void FindCurvature(absl::Span<const double> q, absl::Span<const int32_t> rank,
                   std::vector<double>& curvature) {
  const auto slope = [&](size_t i) {
    return static_cast<Real>(q[rank[i + 1]]) - static_cast<Real>(q[rank[i]]);
  };
  curvature.clear();
  for (size_t i = 0; i + 2 < rank.size(); ++i) {
    curvature.push_back(std::abs(slope(i + 1) - slope(i)));
  }
}

// How many of the candidates, taken in rank order, come before the tail.
template <typename Real>
int64_t HeadSize(absl::Span<const double> curvature, size_t candidates, double z) {
  Real total = 0;
  for (const double value : curvature) total += static_cast<Real>(value);
  const auto all = static_cast<int64_t>(candidates);
  if (total == 0) return all;
  Real sum = 0;
  for (size_t i = 0; i < curvature.size(); ++i) {
    sum += static_cast<Real>(curvature[i]) / total;
    if (sum > static_cast<Real>(z)) return static_cast<int64_t>(i) + 1;
  }
  return all;
}

}  // namespace

absl::Status TailFree::Apply(const StepContext& step, CandidateSelector& selector) const {
  const absl::Span<const double> q = selector.Probabilities();
  // Removed candidates that keep a place come last.
  const absl::Span<const int32_t> rank = selector.Rank().first(selector.live());
  const int64_t head = InArithmetic(step.dialect.arithmetic, [&](auto zero) {
    using Real = decltype(zero);
    FindCurvature<Real>(q, rank, curvature_);
    return HeadSize<Real>(curvature_, rank.size(), z_);
  });
  selector.KeepLargest(std::max<int64_t>(head, min_keep_), TopKConfig::EXACTLY_K);
  return absl::OkStatus();
}

namespace {

void BuildTailFree(const TailFreeConfig& config, BuildContext& context) {
  if (config.z() == 1) return;
  context.Add(std::make_unique<TailFree>(config.z(), config.min_keep()));
}

LOGITCHAIN_REGISTER_PROCESSOR(
    BuildTailFree, {.summary = "cuts off the tail where the sorted probabilities flatten out",
                    .stage = Stage::kTailFree,
                    .keeps_argmax = true});

}  // namespace
}  // namespace logitchain
