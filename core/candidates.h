#ifndef LOGITCHAIN_CORE_CANDIDATES_H_
#define LOGITCHAIN_CORE_CANDIDATES_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {

inline constexpr double kRemoved = -std::numeric_limits<double>::infinity();

// The tokens that are still in at some point of a step, with their logits.
//
// A step starts *dense*: the caller's logits, read in place, beside the few that were edited and a
// mask of those that were removed. Once a rule needs to walk the candidates they become *sparse*:
// parallel arrays of ids and logits. Which of the two it is makes no difference to a result.
//
// In dialects with CandidateOrder::kAscendingIds the arrays hold the survivors, ids ascending. With
// kAsLeft they hold places in the order in which the last rule left them, and a removed candidate
// has the logit −∞ and may keep its place; the arrays know whether they are sorted.
class Candidates {
 public:
  explicit Candidates(const Dialect& dialect) : dialect_(&dialect) {}

  // Starts a step over these logits, shape [vocabulary]; they are read until the next Load.
  // InvalidArgument if one is NaN or +∞ (unless those are to be removed), or if none is left.
  absl::Status Load(absl::Span<const float> logits, ChainConfig::BadLogits on_bad_logits);

  const Dialect& dialect() const { return *dialect_; }
  int32_t vocab_size() const { return static_cast<int32_t>(raw_.size()); }

  // Number of candidates that are not removed.
  int32_t live() const { return live_; }

  // The logit of a token, or nothing if it is removed or outside the vocabulary.
  std::optional<double> Find(TokenId id) const;

  // Rewrites the logit of a candidate that is in; `logit` is finite.
  void Set(TokenId id, double logit);

  // Removes a token; does nothing if it is out already.
  void Remove(TokenId id);

  // Removes the tokens whose bit is 0: bit i of word w is token 32·w + i. Words hold at least the
  // vocabulary; spare bits are ignored.
  void KeepAllowed(absl::Span<const int32_t> words);

  // The sparse arrays.
  absl::Span<const TokenId> ids();
  absl::Span<const double> logits();

  // Replaces each live logit by f(id, logit), which is finite. `keeps_order` says that f never
  // makes a smaller logit the larger one.
  template <typename F>
  void Map(F f, bool keeps_order);

  // Whether the arrays are known to descend by logit; only with kAsLeft.
  bool sorted() const { return sorted_; }

  // Positions in the arrays by (logit descending, id ascending); valid until the next change.
  absl::Span<const int32_t> Rank();

  // Brings the arrays into the order of Rank() with kAsLeft; otherwise does nothing.
  void Sort();

  // Keeps just the candidates at these distinct positions. With kAsLeft the arrays take the order
  // given, which `sorted` describes; otherwise their ids ascend again.
  void KeepPositions(absl::Span<const int32_t> positions, bool sorted);

  // Removes all but the candidate at this position. With kAsLeft the others keep their places.
  void RemoveOthers(size_t position);

  // Keeps the candidates for whose position the predicate holds, in their present order.
  template <typename Predicate>
  void KeepIf(Predicate keep);

  // Removes the candidates for whose position the predicate holds. With kAsLeft they keep their
  // places.
  template <typename Predicate>
  void RemoveIf(Predicate remove);

 private:
  bool IsMasked(TokenId id) const;
  void MaskOut(TokenId id);
  void MakeSparse();
  std::optional<size_t> Position(TokenId id) const;
  bool keeps_places() const { return dialect_->candidate_order == CandidateOrder::kAsLeft; }

  // Shortens the arrays to the first n places and counts the live ones anew.
  void Truncate(size_t n);

  const Dialect* dialect_;
  absl::Span<const float> raw_;
  int32_t live_ = 0;
  bool dense_ = true;
  // Dense state; a mask bit of 1 is a removed token.
  absl::flat_hash_map<TokenId, double> edits_;
  std::vector<uint32_t> mask_;
  // Sparse state.
  std::vector<TokenId> ids_;
  std::vector<double> logits_;
  bool sorted_ = false;
  // Scratch.
  std::vector<int32_t> rank_;
  std::vector<int32_t> order_;
  std::vector<TokenId> next_ids_;
  std::vector<double> next_logits_;
};

template <typename F>
void Candidates::Map(F f, bool keeps_order) {
  MakeSparse();
  sorted_ = sorted_ && keeps_order;
  for (size_t i = 0; i < ids_.size(); ++i) {
    if (logits_[i] != kRemoved) logits_[i] = f(ids_[i], logits_[i]);
  }
}

template <typename Predicate>
void Candidates::KeepIf(Predicate keep) {
  MakeSparse();
  size_t kept = 0;
  for (size_t i = 0; i < ids_.size(); ++i) {
    if (!keep(i)) continue;
    ids_[kept] = ids_[i];
    logits_[kept] = logits_[i];
    ++kept;
  }
  Truncate(kept);
}

template <typename Predicate>
void Candidates::RemoveIf(Predicate remove) {
  if (!keeps_places()) {
    return KeepIf([&remove](size_t position) { return !remove(position); });
  }
  MakeSparse();
  for (size_t i = 0; i < ids_.size(); ++i) {
    if (logits_[i] == kRemoved || !remove(i)) continue;
    logits_[i] = kRemoved;
    --live_;
    sorted_ = false;
  }
}

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_CANDIDATES_H_
