#include "logitchain/core/dense_shortcuts.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "logitchain/core/dense_logits.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/kernels/exp_sums.h"
#include "logitchain/core/numerics/exact_exp.h"
#include "logitchain/core/softmax.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {
namespace {

// Two sums of exponentials, each off by kExpSumError of the total, and the roundings of the plain
// sums (less than 2^-28 of it for 2^24 terms) besides.
constexpr double kMargin = 2.1 * kExpSumError;

double Total(absl::Span<const double> sums) { return absl::c_accumulate(sums, 0.0); }

bool IsPlainDouble(const SoftmaxRule& rule) {
  return rule.term == SoftmaxRule::Term::kExactDouble && rule.sum == SoftmaxRule::Sum::kDouble &&
         rule.scale == SoftmaxRule::Scale::kDivide;
}

// The token of a block on which `target` falls, where the tokens before the block weigh `run`.
std::optional<TokenId> LandInBlock(const DenseLogits& dense, size_t block, double max, double run,
                                   double target, double margin) {
  std::vector<TokenId> ids;
  std::vector<double> logits;
  dense.TakeBlock(block, ids, logits);
  for (size_t i = 0; i < ids.size(); ++i) {
    const double before = run;
    run += ExactExp(logits[i] - max);
    if (run <= target) continue;
    const bool is_certain = before <= target - margin && run >= target + margin;
    return is_certain ? std::optional<TokenId>(ids[i]) : std::nullopt;
  }
  return std::nullopt;
}

// The sum that the plain softmax divides by.
double ExactExpSum(const SoftmaxRule& rule, DenseLogits& dense) {
  std::vector<TokenId> ids;
  std::vector<double> logits;
  std::vector<double> terms;
  dense.TakeAll(/*keep_places=*/false, ids, logits);
  return ExpTerms(rule, logits, terms);
}

// The nucleus's size by the plain rule, if it ends among the first tokens of the rank, whose
// exponentials are given.
size_t PlainNucleusSize(absl::Span<const double> exps, double exp_sum, double mass,
                        TopPConfig::Crossing crossing, size_t min_keep) {
  double sum = 0;
  for (size_t i = 0; i < exps.size(); ++i) {
    sum += exps[i] / exp_sum;
    const bool crosses = crossing == TopPConfig::REACHES ? sum >= mass : sum > mass;
    if (crosses && i + 1 >= min_keep) return i + 1;
  }
  return 0;
}

// The same, from a sum of exponentials that is off by kExpSumError of itself; nothing where that
// does not settle it.
std::optional<size_t> BoundedNucleusSize(absl::Span<const double> exps, double exp_sum, double mass,
                                         size_t min_keep) {
  double sum = 0;
  for (size_t i = 0; i < exps.size(); ++i) {
    sum += exps[i];
    const double q = sum / exp_sum;
    if (std::abs(q - mass) <= kMargin) return std::nullopt;
    if (q > mass && i + 1 >= min_keep) return i + 1;
  }
  return 0;
}

// How far the plain rule's roundings can move a logit that is just likely enough.
double LikelyMargin(Arithmetic arithmetic, double max) {
  return arithmetic == Arithmetic::kFloat64 ? 1e-12 + std::abs(max) * 0x1p-50
                                            : 1e-5 + std::abs(max) * 0x1p-21;
}

}  // namespace

std::optional<TokenId> LandDart(const DrawRule& rule, DenseLogits& dense, double u) {
  const bool is_plain =
      rule.walk == DrawRule::Walk::kNormalisedDouble && IsPlainDouble(rule.softmax);
  if (!is_plain || !dense.CanApproximate()) return std::nullopt;
  const absl::Span<const double> sums = dense.ApproximateExpSums();
  const double total = Total(sums);
  const double target = u * total;
  double run = 0;
  size_t block = 0;
  while (block < sums.size() && run + sums[block] <= target) run += sums[block++];
  if (block == sums.size()) return std::nullopt;
  return LandInBlock(dense, block, dense.Max(), run, target, kMargin * total);
}

bool TakeNucleus(const Dialect& dialect, DenseLogits& dense, double mass,
                 TopPConfig::Crossing crossing, int32_t min_keep, std::vector<TokenId>& ids,
                 std::vector<double>& logits) {
  const bool is_plain = IsPlainDouble(dialect.softmax) && dialect.nucleus.tolerance == 0 &&
                        dialect.candidate_order == CandidateOrder::kAscendingIds;
  if (!is_plain || !dense.CanApproximate()) return false;
  const double max = dense.Max();
  const double about = Total(dense.ApproximateExpSums());
  for (const int32_t k : {64, 1024, 16384}) {
    if (k >= dense.Live()) return false;
    dense.TakeLargest(k, /*by_id=*/false, ids, logits);
    std::vector<double> exps;
    for (const double logit : logits) exps.push_back(ExactExp(logit - max));
    const std::optional<size_t> bounded = BoundedNucleusSize(exps, about, mass, min_keep);
    const size_t size = bounded ? *bounded
                                : PlainNucleusSize(exps, ExactExpSum(dialect.softmax, dense), mass,
                                                   crossing, min_keep);
    if (size == 0) continue;
    dense.TakeLargest(size, /*by_id=*/true, ids, logits);
    return true;
  }
  return false;
}

bool TakeLikely(const Dialect& dialect, DenseLogits& dense, double ratio, int32_t min_keep,
                std::vector<TokenId>& ids, std::vector<double>& logits) {
  const double max = dense.Max();
  if (dialect.min_p == MinPRule::kLogit) {
    dense.TakeAtLeast(LikelyLogit(max, ratio), ids, logits);
    return static_cast<int32_t>(ids.size()) >= min_keep;
  }
  // Below, a probability may be subnormal and its rounding coarse.
  constexpr double kSmallestRatio = 1e-6;
  if (ratio < kSmallestRatio || ratio > 1) return false;
  const double limit = max + std::log(ratio);
  const double margin = LikelyMargin(dialect.arithmetic, max);
  dense.TakeAtLeast(limit - margin, ids, logits);
  const bool is_settled =
      absl::c_all_of(logits, [&](double logit) { return logit == max || logit >= limit + margin; });
  return is_settled && static_cast<int32_t>(ids.size()) >= min_keep;
}

}  // namespace logitchain
