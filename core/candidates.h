#ifndef LOGITCHAIN_CORE_CANDIDATES_H_
#define LOGITCHAIN_CORE_CANDIDATES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/dense_logits.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/scaling.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {

class DenseShortcuts;

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
  explicit Candidates(const Dialect& dialect);
  ~Candidates();

  // Starts a step over these logits, shape [vocabulary]; they are read until the next Load.
  void Load(absl::Span<const float> logits);

  // Reads the logits; masks may be applied before. InvalidArgument if a logit is NaN or +∞, unless
  // those are to be removed, or if no logit is finite.
  absl::Status Check(ChainConfig::BadLogits on_bad_logits);

  // Whether Check was called in this step.
  bool is_checked() const { return is_checked_; }

  const Dialect& dialect() const { return *dialect_; }
  int32_t vocab_size() const { return dense_.vocab_size(); }

  // Number of candidates that are not removed.
  int32_t live() {
    Settle();
    return is_dense_ ? dense_.Live() : live_;
  }

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

  // Fills `logits`, shape [vocabulary]; removed tokens have −∞.
  void CopyLogits(std::vector<double>& logits);

  // Replaces each live logit by f(id, logit), which is finite. `keeps_order` says that f never
  // makes a smaller logit the larger one.
  template <typename F>
  void Map(F f, bool keeps_order);

  // Divides all logits; false, and nothing is done, where that has to go logit by logit.
  bool TryScale(const Scaling& scaling) {
    Settle();
    return is_dense_ && dense_.TryScale(scaling);
  }

  // The candidate with the largest logit; of several the first.
  TokenId ArgMax();

  // Keeps the k ≥ 1 largest logits; of equal ones the lower ids, or with `keep_ties` all that equal
  // the k-th.
  void KeepLargest(int64_t k, bool keep_ties);

  // Shortcuts over dense logits (dense_shortcuts.h); false, or nothing, where they cannot be taken
  // and it takes walking the arrays.
  bool TryKeepNucleus(double mass, int32_t min_keep);
  bool TryKeepLikely(double ratio, int32_t min_keep);
  bool TryKeepTypical(double mass, int32_t min_keep);
  bool TryKeepTopSigma(double n, int32_t min_keep);
  std::optional<TokenId> TryLandDart(double u);

  // Whether the arrays are known to descend by logit; only with kAsLeft.
  bool sorted() const { return sorted_; }

  // The dialect's softmax over the candidates, of which one at least is live, by position; valid
  // until the next change.
  absl::Span<const double> Probabilities();

  // Positions in the arrays by (logit descending, id ascending); valid until the next change.
  absl::Span<const int32_t> Rank();

  // Brings the arrays into the order of Rank() with kAsLeft; otherwise does nothing.
  void Sort();

  // Keeps just the candidates at these distinct positions. With kAsLeft the arrays take the order
  // given, which `sorted` describes; otherwise their ids ascend again. Skips a position that is
  // none, or that comes again, and returns the first such.
  std::optional<int32_t> KeepPositions(absl::Span<const int32_t> positions, bool sorted);

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
  // Removes bad logits, which a rule that looks at others before Check must not meet. Check still
  // finds them in the caller's.
  void Settle();
  void MakeSparse();
  std::optional<size_t> Position(TokenId id) const;
  bool keeps_places() const { return dialect_->candidate_order == CandidateOrder::kAsLeft; }

  // Shortens the arrays to the first n places and counts the live ones anew.
  void Truncate(size_t n);

  // Takes the arrays, just filled with candidates that are all live, for what is left.
  void BecomeSparse(bool sorted);
  // KeepLargest where the logits are dense and it takes only live candidates.
  void TakeLargest(size_t k, bool keep_ties);
  // KeepLargest by sorting.
  void KeepFirstOfRank(int64_t k, bool keep_ties);

  const Dialect* dialect_;
  bool is_dense_ = true;
  bool is_checked_ = false;
  DenseLogits dense_;
  // Sparse state.
  int32_t live_ = 0;
  std::vector<TokenId> ids_;
  std::vector<double> logits_;
  bool sorted_ = false;
  // Whether a shortcut, a function that returns a DenseShortcuts::Result, did its work.
  template <typename Shortcut>
  bool TryShortcut(Shortcut shortcut);

  std::unique_ptr<DenseShortcuts> shortcuts_;
  // Scratch.
  std::vector<int32_t> rank_;
  std::vector<int32_t> order_;
  std::vector<TokenId> next_ids_;
  std::vector<double> next_logits_;
  std::vector<double> q_;
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
