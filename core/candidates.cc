#include "logitchain/core/candidates.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

bool IsBad(float logit) { return std::isnan(logit) || logit == -kMinusInfinity; }

absl::Status BadLogitError(TokenId id, float logit) {
  return absl::InvalidArgumentError(
      absl::StrCat("the logit of token ", id, " is ", logit,
                   "; it must be finite or -inf (on_bad_logits: REMOVE removes such tokens)"));
}

}  // namespace

absl::Status Candidates::Load(absl::Span<const float> logits,
                              ChainConfig::BadLogits on_bad_logits) {
  raw_ = logits;
  live_ = 0;
  dense_ = true;
  sorted_ = false;
  edits_.clear();
  mask_.clear();
  for (TokenId id = 0; id < vocab_size(); ++id) {
    const float logit = raw_[id];
    if (IsBad(logit)) {
      if (on_bad_logits == ChainConfig::ERROR) return BadLogitError(id, logit);
      MaskOut(id);
    } else if (logit != kMinusInfinity) {
      ++live_;
    }
  }
  if (live_ == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "none of the ", logits.size(), " logits is finite; at least one token must be possible"));
  }
  return absl::OkStatus();
}

std::optional<double> Candidates::Find(TokenId id) const {
  if (id < 0 || id >= vocab_size()) return std::nullopt;
  if (!dense_) {
    const std::optional<size_t> position = Position(id);
    if (!position || logits_[*position] == kRemoved) return std::nullopt;
    return logits_[*position];
  }
  if (IsMasked(id) || raw_[id] == kMinusInfinity) return std::nullopt;
  const auto edit = edits_.find(id);
  return edit == edits_.end() ? raw_[id] : edit->second;
}

void Candidates::Set(TokenId id, double logit) {
  sorted_ = false;
  if (dense_) {
    edits_[id] = logit;
  } else {
    logits_[*Position(id)] = logit;
  }
}

void Candidates::Remove(TokenId id) {
  if (!Find(id)) return;
  --live_;
  if (dense_) {
    MaskOut(id);
    return;
  }
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
  for (TokenId id = 0; id < vocab_size(); ++id) {
    const bool allowed = (static_cast<uint32_t>(words[id / 32]) >> (id % 32)) & 1;
    if (!allowed) Remove(id);
  }
}

absl::Span<const TokenId> Candidates::ids() {
  MakeSparse();
  return ids_;
}

absl::Span<const double> Candidates::logits() {
  MakeSparse();
  return logits_;
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

void Candidates::KeepPositions(absl::Span<const int32_t> positions, bool sorted) {
  MakeSparse();
  order_.assign(positions.begin(), positions.end());
  if (!keeps_places()) absl::c_sort(order_);
  next_ids_.clear();
  next_logits_.clear();
  for (const int32_t position : order_) {
    next_ids_.push_back(ids_[position]);
    next_logits_.push_back(logits_[position]);
  }
  ids_.swap(next_ids_);
  logits_.swap(next_logits_);
  sorted_ = sorted && keeps_places();
  Truncate(order_.size());
}

void Candidates::RemoveOthers(size_t position) {
  MakeSparse();
  if (!keeps_places()) {
    const int32_t only = static_cast<int32_t>(position);
    return KeepPositions({&only, 1}, /*sorted=*/false);
  }
  const double logit = logits_[position];
  absl::c_fill(logits_, kRemoved);
  logits_[position] = logit;
  live_ = 1;
}

bool Candidates::IsMasked(TokenId id) const {
  return !mask_.empty() && ((mask_[id / 32] >> (id % 32)) & 1);
}

void Candidates::MaskOut(TokenId id) {
  if (mask_.empty()) mask_.resize((raw_.size() + 31) / 32);
  mask_[id / 32] |= uint32_t{1} << (id % 32);
}

void Candidates::MakeSparse() {
  if (!dense_) return;
  ids_.clear();
  logits_.clear();
  for (TokenId id = 0; id < vocab_size(); ++id) {
    const double logit = Find(id).value_or(kRemoved);
    if (logit == kRemoved && !keeps_places()) continue;
    ids_.push_back(id);
    logits_.push_back(logit);
  }
  dense_ = false;
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
