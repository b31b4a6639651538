#include "logitchain/core/nucleus_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "logitchain/core/dense_logits.h"
#include "logitchain/core/dense_moments.h"
#include "logitchain/core/edit_table.h"
#include "logitchain/core/float_order.h"
#include "logitchain/core/kernels/exp_mean.h"
#include "logitchain/core/kernels/exp_moments.h"
#include "logitchain/core/kernels/exp_split.h"
#include "logitchain/core/kernels/exp_sums.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/kernels/scan.h"
#include "logitchain/core/numerics/exact_exp.h"
#include "logitchain/core/ranked_token.h"
#include "logitchain/core/token_id.h"

namespace logitchain {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr double kSmallestFloat = std::numeric_limits<float>::min();

constexpr size_t kSampleChunk = 16;  // Tokens of one cache line.
constexpr size_t kEstimateSample = 512;
constexpr size_t kSampleSizes[] = {4096, 65536, std::numeric_limits<size_t>::max()};
constexpr double kStandardErrors = 2.6;
// So many tokens of the sample are ranked, and a quantile of it is looked for that many ranks
// around.
constexpr size_t kRankError = 10;
// How close to a sum of weights a bound has to come.
constexpr double kCloseEnough = 0.002;
// A range of logits that is likely to hold more than this part of all tokens is too wide, unless
// nothing better can be had.
constexpr double kWidest = 0.125;
// The end of the nucleus is sought among this many tokens at once.
constexpr int32_t kFew = 48;

float Below(float value) { return std::nextafter(value, -kInfinity); }

constexpr KeyRange kEverything = {-kLargest, kInfinity};

// A float above low and below high, or low if there is none: first by interpolation, later by
// halves of the floats between.
float Between(float low, float high, double part, int step) {
  constexpr int kInterpolations = 16;
  const float middle =
      step < kInterpolations
          ? static_cast<float>(low + (double{high} - low) * std::clamp(part, 0.02, 0.98))
          : MiddleFloat(low, high);
  if (low < middle && middle < high) return middle;
  const float next = std::nextafter(low, kInfinity);
  return next < high ? next : low;
}

// The range, wider by so much on both sides.
KeyRange Wider(KeyRange range, double by) {
  return {static_cast<float>(std::max<double>(range.low - by, -kLargest)),
          static_cast<float>(std::min<double>(range.high + by, kLargest))};
}

// Takes the tokens out of a sample, tokens [begin, begin + kSampleChunk), that are not in the set.
void Blank(TokenSet set, size_t begin, float* sample) {
  const uint32_t bits = set[begin / 32] >> (begin % 32);
  if ((bits & 0xFFFF) == 0xFFFF) return;
  for (size_t i = 0; i < kSampleChunk; ++i) {
    if (((bits >> i) & 1) == 0) sample[i] = -kInfinity;
  }
}

}  // namespace

// Whether an edited logit comes before all of the caller's with keys less than `bound`.
bool NucleusSearch::Reaches(const DenseLogits& dense, double edit, float bound) const {
  return order_.is_by_distance() ? order_.KeyOfEdit(edit) >= bound
                                 : edit > dense.Scaled(Below(bound));
}

bool NucleusSearch::Contains(const DenseLogits& dense, const EditTable::Edit& edit,
                             KeyRange range) const {
  return Reaches(dense, edit.logit, range.low) && !Reaches(dense, edit.logit, range.high) &&
         dense.Find(edit.id).has_value();
}

double NucleusSearch::SumEdits(DenseLogits& dense, KeyRange range) const {
  double sum = 0;
  for (const EditTable::Edit& edit : dense.edits()) {
    if (Contains(dense, edit, range)) sum += ExactExp(edit.logit - dense.Max());
  }
  return sum;
}

double NucleusSearch::EstimateTotal(DenseLogits& dense) {
  order_ = TokenOrder::ByLogit();
  TakeSample(dense, kEstimateSample);
  const double part = static_cast<double>(sample_.size()) / dense.vocab_size();
  return dense.RawTermFactor() * sample_sums_.sum / part + SumEdits(dense, kEverything);
}

bool NucleusSearch::TryKeepLargest(DenseLogits& dense, double mass, int32_t min_keep) {
  order_ = TokenOrder::ByLogit();
  return TryKeep(dense, mass, min_keep);
}

bool NucleusSearch::TryKeepTypical(DenseLogits& dense, double mass, int32_t min_keep) {
  // Around a mean that each sample tells anew.
  order_ = TokenOrder::ByDistance(/*mean=*/0, /*doubt=*/0, /*divisor=*/1);
  return TryKeep(dense, mass, min_keep);
}

bool NucleusSearch::TryKeep(DenseLogits& dense, double mass, int32_t min_keep) {
  if (dense.RawTermFactor() == 0) return false;
  for (const size_t size : kSampleSizes) {
    const bool is_all = size >= dense.raw().size();
    const std::optional<KeyRange> range = Guess(dense, size, mass, is_all ? 1 : kWidest);
    Outcome outcome = Outcome::kMissed;
    if (range) outcome = Search(dense, *range, ExpPrecision::kQuick, mass, min_keep);
    if (outcome == Outcome::kUnsettled || outcome == Outcome::kInDoubt) {
      outcome = Search(dense, *range, ExpPrecision::kFine, mass, min_keep);
    }
    if (outcome != Outcome::kMissed) return outcome == Outcome::kFound;
    if (is_all) break;
  }
  return false;
}

// Tokens from all over the vocabulary; those that are out have a weight of nothing.
void NucleusSearch::TakeSample(DenseLogits& dense, size_t size) {
  const absl::Span<const float> raw = dense.raw();
  const TokenSet set = dense.unedited_set();
  const size_t chunks = raw.size() / kSampleChunk;
  const size_t taken = std::min(chunks, size / kSampleChunk);
  sample_.resize(taken * kSampleChunk);
  for (size_t i = 0; i < taken; ++i) {
    const size_t begin = i * chunks / taken * kSampleChunk;
    std::copy_n(raw.begin() + begin, kSampleChunk, sample_.begin() + i * kSampleChunk);
    if (!set.empty()) Blank(set, begin, &sample_[i * kSampleChunk]);
  }
  sample_weights_.resize(sample_.size());
  const ExpScale scale = dense.RawScale(ExpPrecision::kQuick);
  QuickExpTerms(scale, sample_, absl::MakeSpan(sample_weights_));
  sample_max_ = scale.max;
  sample_sums_ = SumWeightsAtLeast(sample_, sample_weights_, -kLargest);
}

double NucleusSearch::CenterOrder(DenseLogits& dense) {
  constexpr ExpPrecision kPrecision = ExpPrecision::kQuick;
  const ExpScale scale = dense.RawScale(kPrecision);
  sample_block_max_.assign(BlockCount(sample_.size()), scale.max);
  ExpMean mean = MeanExponent(scale, sample_, {}, sample_block_max_, dense.LargestMaximum());
  const double part = static_cast<double>(sample_.size()) / dense.vocab_size();
  const double tokens = sample_sums_.sum * sample_sums_.sum / sample_sums_.sum_of_squares;
  mean.sum /= part;
  order_ = OrderByDistance(dense, MeanLogit(dense, kPrecision, mean));
  sample_max_ = 0;
  absl::c_transform(sample_, sample_.begin(), order_.key());
  return kStandardErrors * scale.temperature * mean.sigma * std::sqrt((1 - part) / tokens);
}

void NucleusSearch::RankSome() {
  const size_t stride = sample_.size() / kRanked;
  for (size_t i = 0; i < kRanked; ++i) {
    ranked_[i] = {sample_[i * stride], sample_weights_[i * stride]};
  }
  absl::c_sort(ranked_, [](const Weighted& a, const Weighted& b) { return a.key > b.key; });
}

// Some of the sample, ranked, tells about where the bound is; interpolation, which begins around
// there, then needs few steps.
float NucleusSearch::BoundReaching(double target) const {
  double ranked_sum = 0;
  for (const Weighted& token : ranked_) ranked_sum += token.weight;
  const double scale = sample_sums_.sum / ranked_sum;
  size_t rank = 0;
  for (double sum = 0; rank < kRanked && sum < target; ++rank) sum += scale * ranked_[rank].weight;
  // The ends of the sample may lie as far outside as these are apart.
  size_t last = kRanked - 1;
  while (last > 0 && ranked_[last].key < -kLargest) --last;
  const float spread = ranked_[0].key - ranked_[last].key;
  const float low =
      rank + kRankError < last ? ranked_[rank + kRankError].key : ranked_[last].key - spread;
  const float high = rank > kRankError ? ranked_[rank - kRankError].key : ranked_[0].key + spread;
  return Interpolate(target, low, high);
}

// The sum of weights is at least `target` from `low` on, and less from `high` on. Where it is not,
// a few heavy tokens were not among those that were ranked: the bound is above `high`, or the
// sample has no bound.
float NucleusSearch::Interpolate(double target, float low, float high) const {
  double low_sum = SumWeightsAtLeast(sample_, sample_weights_, low).sum;
  double high_sum = SumWeightsAtLeast(sample_, sample_weights_, high).sum;
  if (low_sum < target) return -kLargest;
  if (high_sum >= target) {
    low = high;
    low_sum = high_sum;
    high = std::nextafter(sample_max_, kInfinity);
    high_sum = 0;
  }
  for (int step = 0; step < 20 && low_sum - high_sum > kCloseEnough * target; ++step) {
    // Halving every other time: interpolation alone may creep up from one side.
    const double part = step % 2 == 0 ? (low_sum - target) / (low_sum - high_sum) : 0.5;
    const float middle = Between(low, high, part, 0);
    const double sum = SumWeightsAtLeast(sample_, sample_weights_, middle).sum;
    (sum >= target ? low : high) = middle;
    (sum >= target ? low_sum : high_sum) = sum;
  }
  return low;
}

std::optional<KeyRange> NucleusSearch::Guess(DenseLogits& dense, size_t sample_size, double mass,
                                             double widest) {
  TakeSample(dense, sample_size);
  const double doubt = order_.is_by_distance() ? CenterOrder(dense) : 0;
  RankSome();
  const double sampled_part = static_cast<double>(sample_.size()) / dense.vocab_size();
  const WeightSums& all = sample_sums_;
  // What the edited tokens weigh, as part of the sample.
  const double edit_scale = sampled_part / dense.RawTermFactor();
  const double whole = all.sum + edit_scale * SumEdits(dense, kEverything);
  const auto end_of_nucleus = [&](float key) {
    return mass * whole - edit_scale * SumEdits(dense, {key, kInfinity});
  };
  const double rough = end_of_nucleus(-kLargest);
  if (!(rough > 0 && rough < all.sum)) return std::nullopt;
  const double target = dense.edits().empty() ? rough : end_of_nucleus(BoundReaching(rough));
  if (!(target > 0 && target < all.sum)) return std::nullopt;

  const WeightSums above = SumWeightsAtLeast(sample_, sample_weights_, BoundReaching(target));
  const double p = above.sum / all.sum;
  const double variance = (1 - p) * (1 - p) * above.sum_of_squares +
                          p * p * std::max(0.0, all.sum_of_squares - above.sum_of_squares);
  const double margin = kStandardErrors * std::sqrt(variance * std::max(0.0, 1 - sampled_part)) +
                        kCloseEnough * target;
  if (target <= margin) return std::nullopt;
  const KeyRange range =
      Wider({BoundReaching(target + margin), BoundReaching(target - margin)}, doubt);
  const int32_t between = SumWeightsAtLeast(sample_, sample_weights_, range.low).count -
                          SumWeightsAtLeast(sample_, sample_weights_, range.high).count;
  if (range.low >= range.high || between > widest * sample_.size()) return std::nullopt;
  return range;
}

NucleusSearch::Outcome NucleusSearch::Search(DenseLogits& dense, KeyRange range,
                                             ExpPrecision precision, double mass,
                                             int32_t min_keep) {
  Walked walked = Walk(dense, range, precision, mass);
  if (!(walked.range.low < walked.range.high)) return Outcome::kMissed;
  if (walked.above >= walked.end - walked.margin) {
    return walked.above > walked.end + walked.margin ? Outcome::kMissed : Outcome::kUnsettled;
  }
  CollectBetween(dense);
  const double between = SumWeightsAtLeast(between_keys_, between_weights_, -kLargest).sum;
  walked.margin = MarginAt(dense, walked, mass, walked.factor * between);
  const KeyRange narrow = Widened(Narrow(dense, walked), walked.range);
  AddBetween(dense, narrow, walked);
  size_t end = 0;
  const Outcome outcome = FindEnd(dense, narrow, walked, end);
  if (outcome != Outcome::kFound) return outcome;
  if (!order_.IsCertain(contenders_, end)) return Outcome::kInDoubt;
  if (!IsInside(walked.range, contenders_[end].logit)) return Outcome::kMissed;
  if (walked.count + static_cast<int32_t>(end) + 1 < min_keep) return Outcome::kUnsettled;
  Keep(dense, walked, end);
  return Outcome::kFound;
}

NucleusSearch::Walked NucleusSearch::Walk(DenseLogits& dense, KeyRange range,
                                          ExpPrecision precision, double mass) {
  const size_t blocks = BlockCount(dense.raw().size());
  sums_.resize(blocks);
  high_.resize(WordCount(blocks * kBlockSize));
  between_.resize(high_.size());
  const ExpSplit split =
      SplitExpTerms(dense.RawScale(precision), dense.raw(), dense.unedited_set(), order_.key(),
                    range, dense.LargestMaximum(),
                    {absl::MakeSpan(sums_), absl::MakeSpan(high_), absl::MakeSpan(between_)});
  Walked walked = {.precision = precision,
                   .center = order_.key().center.value_or(0),
                   .range = range,
                   .factor = dense.RawTermFactor()};
  if (order_.is_by_distance()) {
    walked.range = Recenter(dense, MeanLogit(dense, precision, split.mean), range);
  }
  walked.total = walked.factor * split.total + SumEdits(dense, kEverything);
  walked.count = split.count_high;
  for (double& sum : sums_) walked.above += sum *= walked.factor;
  for (const EditTable::Edit& edit : dense.edits()) {
    if (!Contains(dense, edit, {walked.range.high, kInfinity})) continue;
    walked.Add(ExactExp(edit.logit - dense.Max()), sums_[edit.id / kBlockSize]);
  }
  walked.margin = MarginAt(dense, walked, mass, /*recomputed=*/0);
  walked.end = mass * walked.total;
  return walked;
}

// A key moves by as much as the center does, roundings of both keys aside; further away from the
// center than range.low, it does not come closer than from there.
KeyRange NucleusSearch::Recenter(DenseLogits& dense, const WeightedMean& mean, KeyRange range) {
  const double center = *order_.key().center;
  order_ = OrderByDistance(dense, mean);
  const double moved = std::abs(*order_.key().center - center);
  const double rounding =
      0x1p-22 * (std::abs(range.low) + std::abs(range.high) + moved) + 4 * kSmallestFloat;
  return {std::nextafter(static_cast<float>(range.low + moved + rounding), kInfinity),
          std::nextafter(static_cast<float>(range.high - moved - rounding), -kInfinity)};
}

double NucleusSearch::MarginAt(DenseLogits& dense, const Walked& walked, double mass,
                               double recomputed) {
  return dense.ErrorOfSums(walked.precision, walked.total).Margin(mass, walked.total, recomputed);
}

void NucleusSearch::CollectBetween(DenseLogits& dense) {
  const size_t count = CountTokens(between_);
  between_ids_.resize(count + 4);
  ListTokens(between_, between_ids_.data());
  between_ids_.resize(count);
  between_logits_.resize(count);
  between_keys_.resize(count);
  between_weights_.resize(count);
  const absl::Span<const float> raw = dense.raw();
  absl::c_transform(between_ids_, between_logits_.begin(), [raw](TokenId id) { return raw[id]; });
  absl::c_transform(between_logits_, between_keys_.begin(), order_.key());
  QuickExpTerms(dense.RawScale(ExpPrecision::kQuick), between_logits_,
                absl::MakeSpan(between_weights_));
}

KeyRange NucleusSearch::Narrow(DenseLogits& dense, const Walked& walked) const {
  struct Side {
    double sum;  // Of the nucleus, if it ended here.
    int32_t count;
  };
  const auto side_at = [&](float bound) {
    const WeightSums weights = SumWeightsAtLeast(between_keys_, between_weights_, bound);
    const double edits = SumEdits(dense, {bound, walked.range.high});
    return Side{walked.above + walked.factor * weights.sum + edits, weights.count};
  };
  KeyRange narrow = walked.range;
  Side low = side_at(narrow.low);
  Side high = side_at(narrow.high);
  for (int step = 0; low.count - high.count > kFew && step < 64; ++step) {
    const double part = (low.sum - walked.end) / (low.sum - high.sum);
    const float middle = Between(narrow.low, narrow.high, part, step);
    if (middle == narrow.low) break;
    const Side side = side_at(middle);
    const bool reaches = side.sum >= walked.end;
    (reaches ? narrow.low : narrow.high) = middle;
    (reaches ? low : high) = side;
  }
  return narrow;
}

// Which tokens these are nobody could predict, so there is no branch; a contender is written before
// it is known whether it is one.
void NucleusSearch::AddBetween(DenseLogits& dense, KeyRange range, Walked& walked) {
  const bool is_quick = walked.precision == ExpPrecision::kQuick;
  contender_ids_.resize(between_ids_.size() + 1);
  size_t contenders = 0;
  double sum = 0;
  int32_t count = 0;
  float max = walked.center;
  for (size_t i = 0; i < between_ids_.size(); ++i) {
    const int32_t id = between_ids_[i];
    const float logit = between_logits_[i];
    const double term = is_quick ? walked.factor * between_weights_[i]
                                 : ExactExp(dense.Scaled(logit) - dense.Max());
    const int reaches_low = between_keys_[i] >= range.low;
    const int is_in = between_keys_[i] >= range.high;
    const double counted = is_in * term;
    sum += counted;
    sums_[id / kBlockSize] += counted;
    high_[id / 32] |= static_cast<uint32_t>(is_in) << (id % 32);
    max = std::max(max, is_in != 0 ? logit : max);
    count += is_in;
    contender_ids_[contenders] = id;
    contenders += reaches_low & ~is_in;
  }
  contender_ids_.resize(contenders);
  walked.above += sum;
  walked.count += count;
  walked.max = max;
  for (const EditTable::Edit& edit : dense.edits()) {
    if (!Contains(dense, edit, {range.high, walked.range.high})) continue;
    walked.Add(ExactExp(edit.logit - dense.Max()), sums_[edit.id / kBlockSize]);
  }
}

// With all tokens that may rank otherwise than their keys say.
KeyRange NucleusSearch::Widened(KeyRange part, KeyRange range) const {
  const double low = part.low - order_.Slack(part.low);
  const double high = part.high + order_.Slack(part.high);
  return {std::max(static_cast<float>(low), range.low),
          std::min(static_cast<float>(high), range.high)};
}

// Whether a token surely ranks behind all whose keys are above the range and before all whose keys
// are below.
bool NucleusSearch::IsInside(KeyRange range, double logit) const {
  if (!order_.is_by_distance()) return true;
  const double key = order_.KeyOfEdit(logit);
  return key > range.low + order_.Slack(range.low) && key < range.high - order_.Slack(range.high);
}

NucleusSearch::Outcome NucleusSearch::FindEnd(DenseLogits& dense, KeyRange range,
                                              const Walked& walked, size_t& end) {
  contenders_.clear();
  for (const TokenId id : contender_ids_) {
    contenders_.push_back({dense.Scaled(dense.raw()[id]), id});
  }
  for (const EditTable::Edit& edit : dense.edits()) {
    if (Contains(dense, edit, range)) contenders_.push_back({edit.logit, edit.id});
  }
  absl::c_sort(contenders_,
               [this](const RankedToken& a, const RankedToken& b) { return order_.Before(a, b); });
  double sum = walked.above;
  if (sum > walked.end + walked.margin) return Outcome::kMissed;
  if (sum >= walked.end - walked.margin) return Outcome::kUnsettled;
  for (end = 0; end < contenders_.size(); ++end) {
    sum += ExactExp(contenders_[end].logit - dense.Max());
    if (sum > walked.end + walked.margin) return Outcome::kFound;
    if (sum >= walked.end - walked.margin) return Outcome::kUnsettled;
  }
  return Outcome::kMissed;
}

void NucleusSearch::Keep(DenseLogits& dense, Walked& walked, size_t end) {
  const RankedToken last = contenders_[end];
  for (size_t i = 0; i <= end; ++i) {
    const double term = ExactExp(contenders_[i].logit - dense.Max());
    walked.Add(term, sums_[contenders_[i].id / kBlockSize]);
  }
  const ExpSums sums = {.blocks = sums_,
                        .total = walked.above,
                        .max = dense.Max(),
                        .precision = walked.precision,
                        .error = dense.ErrorOfSums(walked.precision, walked.total)};
  // Behind the last one, the edited tokens go, and those with the same logit.
  for (size_t i = end + 1; i < contenders_.size(); ++i) {
    if (contenders_[i].logit == last.logit) dense.Remove(contenders_[i].id);
  }
  for (const EditTable::Edit& edit : dense.edits()) {
    if (order_.Before(last, {edit.logit, edit.id}) && dense.Find(edit.id)) dense.Remove(edit.id);
  }
  KeepUpTo(dense, walked, end);
  dense.AssumeSums(sums);
}

void NucleusSearch::KeepUpTo(DenseLogits& dense, Walked& walked, size_t end) {
  if (!order_.is_by_distance()) {
    return dense.KeepAtLeast(dense.SmallestRaw(contenders_[end].logit), walked.count);
  }
  for (size_t i = 0; i <= end; ++i) {
    const TokenId id = contenders_[i].id;
    if (!HasToken(between_, id)) continue;
    AddToken(id, absl::MakeSpan(high_));
    walked.max = std::max(walked.max, dense.raw()[id]);
  }
  // Above the center, what was picked out is above everything else that stays.
  const bool is_known = walked.max > walked.center;
  dense.KeepUnedited(high_, is_known ? std::optional<float>(walked.max) : std::nullopt,
                     walked.count);
}

}  // namespace logitchain
