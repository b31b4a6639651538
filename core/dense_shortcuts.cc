#include "logitchain/core/dense_shortcuts.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "logitchain/core/dense_logits.h"
#include "logitchain/core/dense_moments.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/edit_table.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/kernels/scan.h"
#include "logitchain/core/numerics/exact_exp.h"
#include "logitchain/core/numerics/exact_exp_simd.h"
#include "logitchain/core/softmax.h"
#include "logitchain/core/token_id.h"

namespace logitchain {
namespace {

// A nucleus of up to so many tokens is taken from the largest logits.
constexpr int32_t kSmallNucleus = 64;

bool IsPlainDouble(const SoftmaxRule& rule) {
  return rule.term == SoftmaxRule::Term::kExactDouble && rule.sum == SoftmaxRule::Sum::kDouble &&
         rule.scale == SoftmaxRule::Scale::kDivide;
}

bool HasPlainNucleus(const Dialect& dialect) {
  return IsPlainDouble(dialect.softmax) && dialect.nucleus.tolerance == 0 &&
         dialect.candidate_order == CandidateOrder::kAscendingIds;
}

bool HasPlainTypical(const Dialect& dialect) {
  return IsPlainDouble(dialect.softmax) && dialect.arithmetic == Arithmetic::kFloat64 &&
         !dialect.typical.keeps_ties && dialect.candidate_order == CandidateOrder::kAscendingIds;
}

// The size of the nucleus, given the terms of the first tokens in its order and the total of all; 0
// if it has more, and nothing where the bounds do not settle it.
std::optional<size_t> NucleusSize(absl::Span<const double> terms, double total,
                                  const ExpError& error, double mass, size_t min_keep) {
  const double margin = error.Margin(mass, total, mass * total);
  double sum = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    sum += terms[i];
    const double over = sum - mass * total;
    if (std::abs(over) <= margin) return std::nullopt;
    if (over > 0 && i + 1 >= min_keep) return i + 1;
  }
  return 0;
}

void ComputeTerms(absl::Span<const double> logits, double max, std::vector<double>& terms) {
  terms.resize(logits.size());
  absl::c_transform(logits, terms.begin(), [max](double logit) { return logit - max; });
  ExactExp(terms, absl::MakeSpan(terms));
}

// Sorts few tokens.
void SortById(std::vector<TokenId>& ids, std::vector<double>& logits) {
  for (size_t i = 1; i < ids.size(); ++i) {
    for (size_t j = i; j > 0 && ids[j] < ids[j - 1]; --j) {
      std::swap(ids[j], ids[j - 1]);
      std::swap(logits[j], logits[j - 1]);
    }
  }
}

// How far the plain rule's roundings can move a logit that is just likely enough.
double LikelyMargin(Arithmetic arithmetic, double max) {
  return arithmetic == Arithmetic::kFloat64 ? 1e-12 + std::abs(max) * 0x1p-50
                                            : 1e-5 + std::abs(max) * 0x1p-21;
}

}  // namespace

std::optional<TokenId> DenseShortcuts::LandDart(const DrawRule& rule, DenseLogits& dense,
                                                double u) {
  const bool is_plain =
      rule.walk == DrawRule::Walk::kNormalisedDouble && IsPlainDouble(rule.softmax);
  if (!is_plain || !dense.CanApproximate()) return std::nullopt;
  for (const ExpPrecision precision : {ExpPrecision::kQuick, ExpPrecision::kFine}) {
    const std::optional<TokenId> token = LandAmong(dense, precision, u);
    if (token) return token;
  }
  return std::nullopt;
}

std::optional<TokenId> DenseShortcuts::LandAmong(DenseLogits& dense, ExpPrecision precision,
                                                 double u) {
  const ExpSums sums = dense.BlockExpSums(precision);
  const double target = u * sums.total;
  double run = 0;
  size_t block = 0;
  while (block < sums.blocks.size() && run + sums.blocks[block] <= target) {
    run += sums.blocks[block++];
  }
  if (block == sums.blocks.size()) return std::nullopt;
  dense.TakeBlockTerms(block, sums.precision, ids_, terms_);
  const double in_block = absl::c_accumulate(terms_, 0.0);
  const double margin = sums.error.Margin(u, sums.total, in_block);
  for (size_t i = 0; i < ids_.size(); ++i) {
    const double before = run;
    run += terms_[i];
    if (run <= target) continue;
    const bool is_certain = before <= target - margin && run >= target + margin;
    return is_certain ? std::optional<TokenId>(ids_[i]) : std::nullopt;
  }
  return std::nullopt;
}

DenseShortcuts::Result DenseShortcuts::KeepNucleus(const Dialect& dialect, DenseLogits& dense,
                                                   double mass, int32_t min_keep,
                                                   std::vector<TokenId>& ids,
                                                   std::vector<double>& logits) {
  if (!HasPlainNucleus(dialect) || !dense.CanApproximate()) return Result::kDeclined;
  if (dense.Live() <= kSmallNucleus) return Result::kDeclined;
  const std::optional<size_t> size = TakeSmallNucleus(dense, mass, min_keep, ids, logits);
  if (!size) return Result::kDeclined;
  if (*size > 0) return Result::kTaken;
  return nucleus_search_.TryKeepLargest(dense, mass, min_keep) ? Result::kCut : Result::kDeclined;
}

std::optional<size_t> DenseShortcuts::TakeSmallNucleus(DenseLogits& dense, double mass,
                                                       int32_t min_keep, std::vector<TokenId>& ids,
                                                       std::vector<double>& logits) {
  const double estimate = mass * nucleus_search_.EstimateTotal(dense);
  // No term is over 1.
  if (estimate > 2 * kSmallNucleus) return 0;
  dense.TakeLargest(kSmallNucleus, /*by_id=*/false, ids, logits);
  ComputeTerms(logits, dense.Max(), terms_);
  if (absl::c_accumulate(terms_, 0.0) < estimate / 2) return 0;
  for (const ExpPrecision precision : {ExpPrecision::kQuick, ExpPrecision::kFine}) {
    const ExpSums sums = dense.BlockExpSums(precision);
    const std::optional<size_t> size = NucleusSize(terms_, sums.total, sums.error, mass, min_keep);
    if (!size) continue;
    // Those that were taken descend.
    ids.resize(*size);
    logits.resize(*size);
    SortById(ids, logits);
    return size;
  }
  return std::nullopt;
}

DenseShortcuts::Result DenseShortcuts::KeepLikely(const Dialect& dialect, DenseLogits& dense,
                                                  double ratio, int32_t min_keep,
                                                  std::vector<TokenId>& ids,
                                                  std::vector<double>& logits) {
  const double max = dense.Max();
  if (dialect.min_p == MinPRule::kLogit) {
    dense.TakeAtLeast(LikelyLogit(max, ratio), ids, logits);
    return static_cast<int32_t>(ids.size()) >= min_keep ? Result::kTaken : Result::kDeclined;
  }
  // Below, a probability may be subnormal and its rounding coarse.
  constexpr double kSmallestRatio = 1e-6;
  if (ratio < kSmallestRatio || ratio > 1) return Result::kDeclined;
  const double limit = max + std::log(ratio);
  const double margin = LikelyMargin(dialect.arithmetic, max);
  const bool is_ascending = dialect.candidate_order == CandidateOrder::kAscendingIds;
  return KeepAbove(dense, limit - margin, limit + margin, min_keep, is_ascending, ids, logits);
}

DenseShortcuts::Result DenseShortcuts::KeepAbove(DenseLogits& dense, double low, double high,
                                                 int32_t min_keep, bool can_cut,
                                                 std::vector<TokenId>& ids,
                                                 std::vector<double>& logits) {
  const double max = dense.Max();
  if (can_cut && high <= max && dense.ReachMostBlocks(dense.SmallestRaw(low))) {
    return CutBelow(dense, low, high, min_keep) ? Result::kCut : Result::kDeclined;
  }
  dense.TakeAtLeast(low, ids, logits);
  const bool is_settled =
      absl::c_all_of(logits, [&](double logit) { return logit == max || logit >= high; });
  return is_settled && static_cast<int32_t>(ids.size()) >= min_keep ? Result::kTaken
                                                                    : Result::kDeclined;
}

bool DenseShortcuts::CutBelow(DenseLogits& dense, double low, double high, int32_t min_keep) {
  const float raw_low = dense.SmallestRaw(low);
  const CountsAtLeast unedited = dense.CountUnedited(raw_low, dense.SmallestRaw(high));
  int32_t kept = unedited.low;
  bool is_settled = unedited.low == unedited.high;
  for (const EditTable::Edit& edit : dense.edits()) {
    if (!dense.Find(edit.id) || edit.logit < low) continue;
    ++kept;
    is_settled = is_settled && edit.logit >= high;
  }
  if (!is_settled || kept < min_keep) return false;
  for (const EditTable::Edit& edit : dense.edits()) {
    if (edit.logit < low && dense.Find(edit.id)) dense.Remove(edit.id);
  }
  if (kept < dense.Live()) dense.KeepAtLeast(raw_low, kept);
  return true;
}

DenseShortcuts::Result DenseShortcuts::KeepTypical(const Dialect& dialect, DenseLogits& dense,
                                                   double mass, int32_t min_keep,
                                                   std::vector<TokenId>& ids,
                                                   std::vector<double>& logits) {
  if (!HasPlainTypical(dialect) || !dense.CanApproximate()) return Result::kDeclined;
  if (dense.Live() <= kSmallNucleus) return Result::kDeclined;
  const bool looks_few = mass * nucleus_search_.EstimateTotal(dense) <= 2 * kSmallNucleus;
  if (looks_few && TakeFewTypical(dense, mass, min_keep, ids, logits)) return Result::kTaken;
  if (nucleus_search_.TryKeepTypical(dense, mass, min_keep)) return Result::kCut;
  const bool is_few = !looks_few && TakeFewTypical(dense, mass, min_keep, ids, logits);
  return is_few ? Result::kTaken : Result::kDeclined;
}

bool DenseShortcuts::TakeFewTypical(DenseLogits& dense, double mass, int32_t min_keep,
                                    std::vector<TokenId>& ids, std::vector<double>& logits) {
  for (const ExpPrecision precision : {ExpPrecision::kQuick, ExpPrecision::kFine}) {
    const std::optional<size_t> size =
        TakeFewTypical(dense, MeanLogit(dense, precision), mass, min_keep, ids, logits);
    if (size) return *size > 0;
  }
  return false;
}

std::optional<size_t> DenseShortcuts::TakeFewTypical(DenseLogits& dense, const WeightedMean& mean,
                                                     double mass, int32_t min_keep,
                                                     std::vector<TokenId>& ids,
                                                     std::vector<double>& logits) {
  if (mass * mean.total > 2 * kSmallNucleus) return 0;
  const TokenOrder order = OrderByDistance(dense, mean);
  dense.TakeLargest(kSmallNucleus, /*by_id=*/false, ids, logits);
  const double least = logits.back();
  ranked_.clear();
  for (size_t i = 0; i < ids.size(); ++i) ranked_.push_back({logits[i], ids[i]});
  absl::c_sort(ranked_,
               [&order](const RankedToken& a, const RankedToken& b) { return order.Before(a, b); });
  for (size_t i = 0; i < ids.size(); ++i) {
    ids[i] = ranked_[i].id;
    logits[i] = ranked_[i].logit;
  }
  ComputeTerms(logits, dense.Max(), terms_);
  const std::optional<size_t> size =
      NucleusSize(terms_, mean.total, mean.error_of_total, mass, min_keep);
  if (!size || *size == 0) return size;
  if (!order.IsBeforeThoseBehind(ranked_[*size - 1].logit, least)) return 0;
  if (!order.IsCertain(ranked_, *size - 1)) return std::nullopt;
  ids.resize(*size);
  logits.resize(*size);
  SortById(ids, logits);
  return size;
}

DenseShortcuts::Result DenseShortcuts::KeepTopSigma(const Dialect& dialect, DenseLogits& dense,
                                                    double n, int32_t min_keep,
                                                    std::vector<TokenId>& ids,
                                                    std::vector<double>& logits) {
  const bool is_ascending = dialect.candidate_order == CandidateOrder::kAscendingIds;
  if (dialect.arithmetic != Arithmetic::kFloat64 || !is_ascending) return Result::kDeclined;
  for (const ExpPrecision precision : {ExpPrecision::kQuick, ExpPrecision::kFine}) {
    const double max = dense.Max();
    const Deviation deviation = DeviationOfLogits(dense, precision);
    const double distance = n * deviation.sigma;
    const double margin = n * deviation.error + 0x1p-50 * (std::abs(max) + distance);
    const double limit = max - distance;
    if (!std::isfinite(limit - margin)) continue;
    const Result result = KeepAbove(dense, limit - margin, limit + margin, min_keep,
                                    /*can_cut=*/true, ids, logits);
    if (result != Result::kDeclined) return result;
  }
  return Result::kDeclined;
}

}  // namespace logitchain
