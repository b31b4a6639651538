#include "logitchain/processors/top_h.h"

#include <algorithm>
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

// How many of the probabilities, taken in rank order, have terms of the entropy that sum to no more
// than this fraction of it. The whole is summed in the same order, so that 1 takes all. `sums` is
// scratch.
template <typename Real>
int64_t HeadSize(absl::Span<const double> q, absl::Span<const int32_t> rank, double fraction,
                 std::vector<double>& sums) {
  sums.clear();
  Real sum = 0;
  for (const int32_t position : rank) {
    const Real p = static_cast<Real>(q[position]);
    if (p == 0) break;
    sum -= p * Log(p);
    sums.push_back(sum);
  }
  const Real bound = static_cast<Real>(fraction) * sum;
  return std::upper_bound(sums.begin(), sums.end(), bound) - sums.begin();
}

}  // namespace

absl::Status TopH::Apply(const StepContext& step, CandidateSelector& selector) const {
  selector.KeepLargest(top_n_, TopKConfig::EXACTLY_K);
  const absl::Span<const double> q = selector.Probabilities();
  const int64_t head = InArithmetic(step.dialect.arithmetic, [&](auto zero) {
    return HeadSize<decltype(zero)>(q, selector.Rank(), h_, sums_);
  });
  selector.KeepLargest(std::max<int64_t>(head, min_keep_), TopKConfig::EXACTLY_K);
  return absl::OkStatus();
}

namespace {

void BuildTopH(const TopHConfig& config, BuildContext& context) {
  const int32_t top_n = std::max(config.top_n(), config.min_keep());
  context.Add(std::make_unique<TopH>(config.h(), top_n, config.min_keep()));
}

LOGITCHAIN_REGISTER_PROCESSOR(
    BuildTopH, {.summary = "keeps the most likely tokens that carry a fraction of the entropy",
                .stage = Stage::kTopH,
                .keeps_argmax = true});

}  // namespace
}  // namespace logitchain
