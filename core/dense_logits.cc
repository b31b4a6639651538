#include "logitchain/core/dense_logits.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "logitchain/core/edit_table.h"
#include "logitchain/core/float_order.h"
#include "logitchain/core/kernels/exp_sums.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/kernels/scan.h"
#include "logitchain/core/numerics/exact_exp.h"
#include "logitchain/core/ranked_token.h"
#include "logitchain/core/scaling.h"
#include "logitchain/core/token_id.h"

namespace logitchain {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool HasLowerId(const RankedToken& a, const RankedToken& b) { return a.id < b.id; }

// Where k values or more reach a bound that much the same number reaches, between `low`, which
// enough reach, and `high`: halving the range, and if that does not get there, the floats in it.
template <typename CountAtLeastFn>
float BoundReachedBy(size_t k, float low, float high, CountAtLeastFn count) {
  constexpr int kLinearSteps = 12;
  for (int step = 0; low < high; ++step) {
    const float middle = step < kLinearSteps ? low + (high - low) / 2 : MiddleFloat(low, high);
    if (!(low < middle && middle <= high)) break;
    const size_t reach = count(middle);
    if (reach >= k && reach <= k + k / 4) return middle;
    if (reach >= k) {
      low = middle;
    } else {
      high = FloatAt(OrderOf(middle) - 1);
    }
  }
  return low;
}

}  // namespace

void DenseLogits::Load(absl::Span<const float> raw) {
  raw_ = raw;
  allowed_.clear();
  edits_.Clear();
  scaling_.reset();
  floor_ = -kInfinity;
  scanned_ = false;
  stale_blocks_.clear();
  all_stale_ = false;
  Forget();
}

void DenseLogits::Forget() {
  unedited_known_ = false;
  max_.reset();
  sums_found_.reset();
}

bool DenseLogits::HasBad() {
  Scan();
  return has_bad_;
}

void DenseLogits::RemoveBad() {
  for (TokenId id = 0; id < vocab_size(); ++id) {
    const bool is_bad = !(raw_[id] < kInfinity);
    if (is_bad && Find(id)) Remove(id);
  }
  scanned_ = false;
}

int32_t DenseLogits::Live() {
  Scan();
  return live_;
}

std::optional<double> DenseLogits::Find(TokenId id) const {
  if (id < 0 || id >= vocab_size() || !HasToken(allowed_, id) || raw_[id] == -kInfinity) {
    return std::nullopt;
  }
  if (const double* edit = edits_.Find(id); edit != nullptr) return *edit;
  if (raw_[id] < floor_) return std::nullopt;
  return Scaled(raw_[id]);
}

void DenseLogits::Set(TokenId id, double logit) {
  Forget();
  if (edits_.Set(id, logit)) NoteLoss(id);
}

void DenseLogits::Remove(TokenId id) {
  Forget();
  if (allowed_.empty()) allowed_.assign(WordCount(raw_.size()), ~uint32_t{0});
  RemoveToken(id, absl::MakeSpan(allowed_));
  --live_;
  NoteLoss(id);
}

void DenseLogits::NoteLoss(TokenId id) {
  if (all_stale_) return raw_max_.reset();
  const size_t block = id / kBlockSize;
  if (scanned_ && raw_[id] < block_max_[block]) return;
  stale_blocks_.push_back(static_cast<uint32_t>(block));
}

void DenseLogits::KeepAllowed(absl::Span<const int32_t> words) {
  ApplyFloor();
  Forget();
  const size_t size = WordCount(raw_.size());
  if (allowed_.empty()) {
    allowed_.assign(words.begin(), words.begin() + size);
  } else {
    for (size_t w = 0; w < size; ++w) allowed_[w] &= static_cast<uint32_t>(words[w]);
  }
  scanned_ = false;
}

TokenSet DenseLogits::unedited_set() {
  ApplyFloor();
  if (edits_.edits().empty()) return allowed_;
  if (unedited_known_) return unedited_;
  if (allowed_.empty()) {
    unedited_.assign(WordCount(raw_.size()), ~uint32_t{0});
  } else {
    unedited_ = allowed_;
  }
  for (const EditTable::Edit& edit : edits_.edits()) {
    RemoveToken(edit.id, absl::MakeSpan(unedited_));
  }
  unedited_known_ = true;
  return unedited_;
}

bool DenseLogits::ReachMostBlocks(float raw) {
  UpdateMaxima();
  return CountAtLeast(block_max_, {}, raw) > block_max_.size() / 2;
}

CountsAtLeast DenseLogits::CountUnedited(float low, float high) {
  return CountAtLeastBoth(raw_, unedited_set(), low, high);
}

void DenseLogits::KeepAtLeast(float raw, int32_t live) {
  const double max = Max();
  ApplyFloor();
  Forget();
  max_ = max;
  floor_ = raw;
  live_ = live;
}

void DenseLogits::KeepUnedited(TokenSet kept, std::optional<float> raw_max, int32_t live) {
  ApplyFloor();
  unedited_.assign(kept.begin(), kept.begin() + WordCount(raw_.size()));
  for (const EditTable::Edit& edit : edits_.edits()) {
    if (HasToken(allowed_, edit.id)) AddToken(edit.id, absl::MakeSpan(unedited_));
  }
  allowed_.swap(unedited_);
  Forget();
  all_stale_ = true;
  raw_max_ = raw_max;
  live_ = live;
}

void DenseLogits::AssumeSums(const ExpSums& sums) {
  // Over a maximum that is much less, errors would be too large a part of what is left.
  constexpr double kLargestFactor = 1e6;
  const double factor = ExactExp(sums.max - Max());
  if (factor > kLargestFactor) return;
  sums_.assign(sums.blocks.begin(), sums.blocks.end());
  for (double& sum : sums_) sum *= factor;
  const double total = factor * sums.total;
  ExpError error = ErrorOfSums(sums.precision, total);
  error.relative = std::max(error.relative, sums.error.relative);
  error.uneven = std::max(error.uneven, factor * sums.error.uneven);
  sums_found_ = {sums_, total, Max(), sums.precision, error};
}

void DenseLogits::ApplyFloor() {
  if (floor_ == -kInfinity) return;
  if (allowed_.empty()) allowed_.assign(WordCount(raw_.size()), ~uint32_t{0});
  unedited_ = allowed_;
  logitchain::KeepAtLeast(raw_, floor_, absl::MakeSpan(allowed_));
  for (const EditTable::Edit& edit : edits_.edits()) {
    if (HasToken(unedited_, edit.id)) AddToken(edit.id, absl::MakeSpan(allowed_));
  }
  for (float& max : block_max_) {
    if (max < floor_) max = -kInfinity;
  }
  raw_max_.reset();
  unedited_known_ = false;
  floor_ = -kInfinity;
}

bool DenseLogits::TryScale(const Scaling& scaling) {
  if (scaling_) return false;
  const auto stays_finite = [&](double logit) { return std::isfinite(scaling(logit)); };
  if (!stays_finite(kLargest) && !stays_finite(LargestMagnitude(raw_, allowed_))) {
    return false;
  }
  for (const EditTable::Edit& edit : edits_.edits()) {
    if (!stays_finite(edit.logit)) return false;
  }
  for (EditTable::Edit& edit : edits_.edits()) edit.logit = scaling(edit.logit);
  scaling_ = scaling;
  max_.reset();
  sums_found_.reset();
  return true;
}

TokenId DenseLogits::ArgMax() {
  ApplyFloor();
  CollectLargest(1, std::max(RawMax(), -kLargest));
  AddEdits(1);
  return absl::c_min_element(best_)->id;
}

void DenseLogits::TakeLargest(size_t k, bool by_id, std::vector<TokenId>& ids,
                              std::vector<double>& logits) {
  CollectLargest(k, BoundOfKth(k));
  AddEdits(k);
  KeepBest(k);
  if (by_id) {
    absl::c_sort(best_, HasLowerId);
  } else {
    absl::c_sort(best_);
  }
  Unzip(ids, logits);
}

void DenseLogits::TakeAtLeast(double bound, std::vector<TokenId>& ids,
                              std::vector<double>& logits) {
  ApplyFloor();
  UpdateMaxima();
  best_.clear();
  const float raw_bound = SmallestRaw(bound);
  for (size_t block = 0; block < block_max_.size(); ++block) {
    if (block_max_[block] >= raw_bound) CollectBlock(block, raw_bound);
  }
  for (const EditTable::Edit& edit : edits_.edits()) {
    if (edit.logit >= bound && HasToken(allowed_, edit.id)) best_.push_back({edit.logit, edit.id});
  }
  if (!edits_.edits().empty()) {
    absl::c_sort(best_, HasLowerId);
  }
  Unzip(ids, logits);
}

void DenseLogits::CopyAll(std::vector<double>& logits) {
  ApplyFloor();
  logits.resize(raw_.size());
  for (TokenId id = 0; id < vocab_size(); ++id) {
    const bool live = HasToken(allowed_, id) && raw_[id] != -kInfinity;
    logits[id] = live ? Scaled(raw_[id]) : kRemoved;
  }
  for (const EditTable::Edit& edit : edits_.edits()) {
    if (HasToken(allowed_, edit.id)) logits[edit.id] = edit.logit;
  }
}

void DenseLogits::TakeAll(bool keep_places, std::vector<TokenId>& ids,
                          std::vector<double>& logits) {
  CopyAll(logits);
  ids.resize(logits.size());
  if (keep_places) return absl::c_iota(ids, 0);
  size_t live = 0;
  for (TokenId id = 0; id < vocab_size(); ++id) {
    if (logits[id] == kRemoved) continue;
    ids[live] = id;
    logits[live++] = logits[id];
  }
  ids.resize(live);
  logits.resize(live);
}

double DenseLogits::Max() {
  if (max_) return *max_;
  double max = Scaled(RawMax());
  for (const EditTable::Edit& edit : edits_.edits()) {
    if (HasToken(allowed_, edit.id)) max = std::max(max, edit.logit);
  }
  max_ = max;
  return max;
}

float DenseLogits::RawMax() {
  if (!scanned_ || !all_stale_ || !raw_max_) UpdateMaxima();
  if (!raw_max_) raw_max_ = MaxInSet(block_max_, 0, block_max_.size(), {});
  return *raw_max_ < floor_ ? -kInfinity : *raw_max_;
}

bool DenseLogits::CanApproximate() {
  constexpr double kLargestMax = 1e6;
  constexpr double kSmallestDivisor = 1e-20;
  constexpr double kLargestDivisor = 1e20;
  if (scaling_ && (scaling_->divisor < kSmallestDivisor || scaling_->divisor > kLargestDivisor)) {
    return false;
  }
  return std::abs(Max()) <= kLargestMax &&
         std::abs(Scaled(RawScale(ExpPrecision::kQuick).max)) <= kLargestMax;
}

ExpScale DenseLogits::RawScale(ExpPrecision precision) {
  const float max = RawMax();
  return {max == -kInfinity ? 0 : max, scaling_ ? scaling_->divisor : 1, precision};
}

double DenseLogits::RawTermFactor() { return ExactExp(Scaled(RawMax()) - Max()); }

ExpSums DenseLogits::BlockExpSums(ExpPrecision precision) {
  const bool is_fine = precision == ExpPrecision::kFine;
  if (sums_found_ && (!is_fine || sums_found_->precision == precision)) return *sums_found_;
  const TokenSet set = unedited_set();
  const ExpScale scale = RawScale(precision);
  UpdateMaxima();
  sums_.resize(block_max_.size());
  const double rough = SumExpTerms(scale, raw_, set, block_max_, absl::MakeSpan(sums_));
  // An edited token may be the largest.
  const double factor = RawTermFactor();
  double total = 0;
  for (double& sum : sums_) total += sum *= factor;
  for (const EditTable::Edit& edit : edits_.edits()) {
    if (!HasToken(allowed_, edit.id)) continue;
    const double term = ExactExp(edit.logit - Max());
    sums_[edit.id / kBlockSize] += term;
    total += term;
  }
  ExpError error = ErrorOfSums(precision, total);
  error.uneven += kRoughError * factor * rough;
  sums_found_ = {sums_, total, Max(), precision, error};
  return *sums_found_;
}

ExpError DenseLogits::ErrorOfSums(ExpPrecision precision, double total) {
  return ExpSumError(precision, LargestMaximum(), total, raw_.size());
}

double DenseLogits::LargestMaximum() {
  return std::max(std::abs(Max()), std::abs(Scaled(RawScale(ExpPrecision::kQuick).max)));
}

void DenseLogits::TakeBlockTerms(size_t block, ExpPrecision precision, std::vector<TokenId>& ids,
                                 std::vector<double>& terms) {
  const absl::Span<const float> raw = raw_.subspan(block * kBlockSize, kBlockSize);
  float quick[kBlockSize];
  QuickExpTerms(RawScale(ExpPrecision::kQuick), raw, absl::MakeSpan(quick, raw.size()));
  const bool is_quick = precision == ExpPrecision::kQuick;
  const double factor = RawTermFactor();
  ids.clear();
  terms.clear();
  for (size_t i = 0; i < raw.size(); ++i) {
    const auto id = static_cast<TokenId>(block * kBlockSize + i);
    const std::optional<double> logit = Find(id);
    if (!logit) continue;
    const bool is_exact = !is_quick || edits_.Find(id) != nullptr;
    ids.push_back(id);
    terms.push_back(is_exact ? ExactExp(*logit - Max()) : factor * quick[i]);
  }
}

absl::Span<const float> DenseLogits::block_maxima() {
  UpdateMaxima();
  return block_max_;
}

void DenseLogits::Scan() {
  if (scanned_) return;
  ApplyFloor();
  block_max_.resize(BlockCount(raw_.size()));
  const ScanResult result = ScanBlocks(raw_, allowed_, absl::MakeSpan(block_max_));
  scanned_ = true;
  has_bad_ = result.has_bad;
  live_ = result.live;
  stale_blocks_.clear();
  all_stale_ = false;
  raw_max_.reset();
  for (const EditTable::Edit& edit : edits_.edits()) NoteLoss(edit.id);
}

void DenseLogits::UpdateMaxima() {
  Scan();
  if (stale_blocks_.empty() && !all_stale_) return;
  raw_max_.reset();
  if (all_stale_ || stale_blocks_.size() > block_max_.size() / 2) {
    ScanBlocks(raw_, unedited_set(), absl::MakeSpan(block_max_));
  } else {
    for (const uint32_t block : stale_blocks_) {
      const size_t begin = block * kBlockSize;
      block_max_[block] =
          MaxInSet(raw_, begin, std::min(begin + kBlockSize, raw_.size()), unedited_set());
    }
  }
  stale_blocks_.clear();
  all_stale_ = false;
}

float DenseLogits::SmallestRaw(double bound) const {
  if (Scaled(kLargest) < bound) return kInfinity;
  return FirstFloat(-kLargest, kLargest, [&](float raw) { return Scaled(raw) >= bound; });
}

float DenseLogits::BoundOfKth(size_t k) {
  ApplyFloor();
  UpdateMaxima();
  const float max = RawMax();
  if (max == -kInfinity) return -kLargest;
  const auto blocks_at_least = [&](float bound) { return CountAtLeast(block_max_, {}, bound); };
  const float least = -LargestMagnitude(block_max_, {});
  if (blocks_at_least(least) >= k) return BoundReachedBy(k, least, max, blocks_at_least);
  const auto logits_at_least = [&](float bound) {
    return CountAtLeast(raw_, unedited_set(), bound);
  };
  if (logits_at_least(-kLargest) >= k) {
    return BoundReachedBy(k, -LargestMagnitude(raw_, allowed_), max, logits_at_least);
  }
  return -kLargest;
}

// Leaves in best_ the best k unedited tokens, or more, of those with a caller's logit of at least
// `bound`, which k reach if there are as many.
void DenseLogits::CollectLargest(size_t k, float bound) {
  const size_t room = std::max<size_t>(2 * k, 1024);
  best_.clear();
  UpdateMaxima();
  // The division may have made a smaller logit equal to one at the bound, and a lower id then wins.
  if (scaling_ && !scaling_->keeps_different()) bound = SmallestRaw(Scaled(bound));
  for (size_t block = 0; block < block_max_.size(); ++block) {
    if (!(block_max_[block] >= bound)) continue;
    CollectBlock(block, bound);
    if (best_.size() < room) continue;
    KeepBest(k);
    // Later tokens have higher ids, so that an equal logit no longer is enough.
    bound = SmallestRaw(std::nextafter(best_[k - 1].logit, kInfinity));
  }
}

void DenseLogits::CollectBlock(size_t block, float bound) {
  int32_t found[kBlockSize];
  const size_t begin = block * kBlockSize;
  const size_t n = CollectAtLeast(raw_, begin, std::min(begin + kBlockSize, raw_.size()), allowed_,
                                  bound, found);
  for (const int32_t id : absl::MakeSpan(found, n)) {
    if (edits_.Find(id) == nullptr) best_.push_back({Scaled(raw_[id]), id});
  }
}

void DenseLogits::Unzip(std::vector<TokenId>& ids, std::vector<double>& logits) const {
  ids.clear();
  logits.clear();
  for (const RankedToken& token : best_) {
    ids.push_back(token.id);
    logits.push_back(token.logit);
  }
}

void DenseLogits::KeepBest(size_t k) {
  if (best_.size() <= k) return;
  std::nth_element(best_.begin(), best_.begin() + (k - 1), best_.end());
  best_.resize(k);
}

// Adds the edited tokens that can be among the best k.
void DenseLogits::AddEdits(size_t k) {
  KeepBest(k);
  const double bound = best_.size() < k ? kRemoved : absl::c_max_element(best_)->logit;
  for (const EditTable::Edit& edit : edits_.edits()) {
    if (edit.logit >= bound && HasToken(allowed_, edit.id)) best_.push_back({edit.logit, edit.id});
  }
}

}  // namespace logitchain
