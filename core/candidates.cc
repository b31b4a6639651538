#include "logitchain/core/candidates.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/core/dense_shortcuts.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/softmax.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {
namespace {

// `logits` has one that is NaN or +∞.
absl::Status BadLogitError(absl::Span<const float> logits) {
  const auto bad = absl::c_find_if(
      logits, [](float logit) { return !(logit < std::numeric_limits<float>::infinity()); });
  return absl::InvalidArgumentError(
      absl::StrCat("the logit of token ", bad - logits.begin(), " is ", *bad,
                   "; it must be finite or -inf (on_bad_logits: REMOVE removes such tokens)"));
}

}  // namespace

Candidates::Candidates(const Dialect& dialect)
    : dialect_(&dialect), shortcuts_(std::make_unique<DenseShortcuts>()) {}

Candidates::~Candidates() = default;

void Candidates::Load(absl::Span<const float> logits) {
  dense_.Load(logits);
  is_dense_ = true;
  is_checked_ = false;
  sorted_ = false;
}

absl::Status Candidates::Check(ChainConfig::BadLogits on_bad_logits) {
  if (dense_.HasBad()) {
    if (on_bad_logits == ChainConfig::ERROR) return BadLogitError(dense_.raw());
    dense_.RemoveBad();
  }
  is_checked_ = true;
  if (live() > 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "none of the ", vocab_size(), " logits is finite; at least one token must be possible"));
}

std::optional<double> Candidates::Find(TokenId id) const {
  if (is_dense_) return dense_.Find(id);
  const std::optional<size_t> position = Position(id);
  if (!position || logits_[*position] == kRemoved) return std::nullopt;
  return logits_[*position];
}

void Candidates::Set(TokenId id, double logit) {
  sorted_ = false;
  if (is_dense_) {
    dense_.Set(id, logit);
  } else {
    logits_[*Position(id)] = logit;
  }
}

void Candidates::Remove(TokenId id) {
  if (!Find(id)) return;
  if (is_dense_) return dense_.Remove(id);
  --live_;
  const size_t position = *Position(id);
  if (keeps_places()) {
    logits_[position] = kRemoved;
    sorted_ = false;
  } else {
    ids_.erase(ids_.begin() + position);
    logits_.erase(logits_.begin() + position);
  }
}

void Candidates::KeepAllowed(absl::Span<const int32_t> words) {
  if (is_dense_) return dense_.KeepAllowed(words);
  const auto is_allowed = [&](size_t position) {
    const TokenId id = ids_[position];
    return ((static_cast<uint32_t>(words[id / 32]) >> (id % 32)) & 1) != 0;
  };
  if (!keeps_places()) return KeepIf(is_allowed);
  for (size_t position = 0; position < ids_.size(); ++position) {
    if (!is_allowed(position)) Remove(ids_[position]);
  }
}

void Candidates::CopyLogits(std::vector<double>& logits) {
  Settle();
  if (is_dense_) return dense_.CopyAll(logits);
  logits.assign(vocab_size(), kRemoved);
  for (size_t i = 0; i < ids_.size(); ++i) logits[ids_[i]] = logits_[i];
}

TokenId Candidates::ArgMax() {
  Settle();
  if (is_dense_) return dense_.ArgMax();
  return ids_[absl::c_max_element(logits_) - logits_.begin()];
}

void Candidates::KeepLargest(int64_t k, bool keep_ties) {
  const int64_t live = this->live();
  if (k >= live && !keeps_places()) return;
  if (is_dense_ && k <= live) {
    TakeLargest(k, keep_ties);
  } else {
    KeepFirstOfRank(k, keep_ties);
  }
}

void Candidates::TakeLargest(size_t k, bool keep_ties) {
  dense_.TakeLargest(k, /*by_id=*/!keeps_places(), ids_, logits_);
  if (keep_ties) dense_.TakeAtLeast(*absl::c_min_element(logits_), ids_, logits_);
  BecomeSparse(/*sorted=*/keeps_places() && !keep_ties);
  if (keeps_places() && keep_ties) KeepPositions(Rank(), /*sorted=*/true);
}

template <typename Shortcut>
bool Candidates::TryShortcut(Shortcut shortcut) {
  Settle();
  if (!is_dense_) return false;
  const DenseShortcuts::Result result = shortcut();
  if (result == DenseShortcuts::Result::kTaken) BecomeSparse(/*sorted=*/false);
  return result != DenseShortcuts::Result::kDeclined;
}

bool Candidates::TryKeepNucleus(double mass, int32_t min_keep) {
  return TryShortcut(
      [&] { return shortcuts_->KeepNucleus(*dialect_, dense_, mass, min_keep, ids_, logits_); });
}

bool Candidates::TryKeepLikely(double ratio, int32_t min_keep) {
  return TryShortcut(
      [&] { return shortcuts_->KeepLikely(*dialect_, dense_, ratio, min_keep, ids_, logits_); });
}

bool Candidates::TryKeepTypical(double mass, int32_t min_keep) {
  return TryShortcut(
      [&] { return shortcuts_->KeepTypical(*dialect_, dense_, mass, min_keep, ids_, logits_); });
}

bool Candidates::TryKeepTopSigma(double n, int32_t min_keep) {
  return TryShortcut(
      [&] { return shortcuts_->KeepTopSigma(*dialect_, dense_, n, min_keep, ids_, logits_); });
}

std::optional<TokenId> Candidates::TryLandDart(double u) {
  return is_dense_ ? shortcuts_->LandDart(dialect_->draw, dense_, u) : std::nullopt;
}

void Candidates::BecomeSparse(bool sorted) {
  is_dense_ = false;
  live_ = static_cast<int32_t>(ids_.size());
  sorted_ = sorted;
}

void Candidates::KeepFirstOfRank(int64_t k, bool keep_ties) {
  const absl::Span<const int32_t> rank = Rank();
  size_t n = std::min<uint64_t>(k, rank.size());
  if (keep_ties) {
    while (n < rank.size() && logits_[rank[n]] == logits_[rank[n - 1]]) ++n;
  }
  KeepPositions(rank.first(n), /*sorted=*/true);
}

absl::Span<const TokenId> Candidates::ids() {
  MakeSparse();
  return ids_;
}

absl::Span<const double> Candidates::logits() {
  MakeSparse();
  return logits_;
}

absl::Span<const double> Candidates::Probabilities() {
  Softmax(dialect_->softmax, logits(), q_);
  return q_;
}

absl::Span<const int32_t> Candidates::Rank() {
  MakeSparse();
  rank_.resize(ids_.size());
  std::iota(rank_.begin(), rank_.end(), 0);
  if (!sorted_) {
    absl::c_sort(rank_, [this](int32_t a, int32_t b) {
      return logits_[a] != logits_[b] ? logits_[a] > logits_[b] : ids_[a] < ids_[b];
    });
  }
  return rank_;
}

void Candidates::Sort() {
  if (keeps_places() && !sorted_) KeepPositions(Rank(), /*sorted=*/true);
}

std::optional<int32_t> Candidates::KeepPositions(absl::Span<const int32_t> positions, bool sorted) {
  constexpr TokenId kTaken = -1;
  MakeSparse();
  order_.assign(positions.begin(), positions.end());
  if (!keeps_places()) absl::c_sort(order_);
  next_ids_.clear();
  next_logits_.clear();
  std::optional<int32_t> fault;
  for (const int32_t position : order_) {
    const bool is_one = position >= 0 && static_cast<size_t>(position) < ids_.size();
    if (!is_one || ids_[position] == kTaken) {
      if (!fault) fault = position;
      continue;
    }
    next_ids_.push_back(std::exchange(ids_[position], kTaken));
    next_logits_.push_back(logits_[position]);
  }
  ids_.swap(next_ids_);
  logits_.swap(next_logits_);
  sorted_ = sorted && keeps_places();
  Truncate(ids_.size());
  return fault;
}

void Candidates::RemoveOthers(size_t position) {
  MakeSparse();
  if (!keeps_places()) {
    const int32_t only = static_cast<int32_t>(position);
    KeepPositions({&only, 1}, /*sorted=*/false);
    return;
  }
  const double logit = logits_[position];
  absl::c_fill(logits_, kRemoved);
  logits_[position] = logit;
  live_ = 1;
}

void Candidates::Settle() {
  if (!is_checked_ && is_dense_ && dense_.HasBad()) dense_.RemoveBad();
}

void Candidates::MakeSparse() {
  if (!is_dense_) return;
  Settle();
  live_ = dense_.Live();
  dense_.TakeAll(keeps_places(), ids_, logits_);
  is_dense_ = false;
}

std::optional<size_t> Candidates::Position(TokenId id) const {
  const auto found = keeps_places() ? absl::c_find(ids_, id) : absl::c_lower_bound(ids_, id);
  if (found == ids_.end() || *found != id) return std::nullopt;
  return found - ids_.begin();
}

void Candidates::Truncate(size_t n) {
  ids_.resize(n);
  logits_.resize(n);
  live_ = static_cast<int32_t>(n - absl::c_count(logits_, kRemoved));
}

}  // namespace logitchain
