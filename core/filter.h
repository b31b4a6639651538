#ifndef LOGITCHAIN_CORE_FILTER_H_
#define LOGITCHAIN_CORE_FILTER_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {

// What a Filter can do: remove candidates. It cannot rewrite a logit. A step at which a filter
// removes all is refused by the runner.
//
// Candidates stand at positions 0 … size() − 1 in parallel arrays; each call that removes changes
// positions. See candidates.h for what a position is in the various dialects.
class CandidateSelector {
 public:
  explicit CandidateSelector(Candidates& candidates) : candidates_(candidates) {}
  CandidateSelector(const CandidateSelector&) = delete;
  CandidateSelector& operator=(const CandidateSelector&) = delete;

  int32_t vocab_size() const { return candidates_.vocab_size(); }

  // Number of candidates that are not removed.
  int32_t live() { return candidates_.live(); }

  // Number of positions.
  int32_t size() { return static_cast<int32_t>(candidates_.ids().size()); }
  absl::Span<const TokenId> ids() { return candidates_.ids(); }
  absl::Span<const double> logits() { return candidates_.logits(); }

  // The candidate with the largest logit; of several the first position.
  TokenId ArgMax();

  // The token that the uniform u falls on in the dialect's final distribution, where that can be
  // told without walking it.
  std::optional<TokenId> TryLandDart(double u) { return candidates_.TryLandDart(u); }

  // The dialect's softmax over the candidates, by position; valid until the next call that removes
  // or computes.
  absl::Span<const double> Probabilities();

  // Do what the rules typical and top_n_sigma do, where that can be told without walking the
  // vocabulary; otherwise they do nothing and return false.
  bool TryKeepTypical(double mass, int32_t min_keep);
  bool TryKeepTopSigma(double n, int32_t min_keep);

  // Positions by (logit descending, id ascending); valid until the next change.
  absl::Span<const int32_t> Rank() { return candidates_.Rank(); }

  // Brings the candidates into that order where the dialect keeps an order; otherwise does nothing.
  void Sort() { candidates_.Sort(); }

  // Removes a token; does nothing if it is out already or outside the vocabulary.
  void Remove(TokenId id) { candidates_.Remove(id); }

  // Removes the tokens whose bit is 0. Bit i of word w is token 32·w + i; ⌈vocab_size / 32⌉ words.
  // Fewer words are an error.
  void KeepAllowed(absl::Span<const int32_t> words);

  // Keeps the candidates for whose position the predicate holds.
  template <typename Predicate>
  void KeepIf(Predicate keep) {
    candidates_.KeepIf(keep);
  }

  // Removes the candidates for whose position the predicate holds; where removed candidates may
  // keep a place, these do.
  template <typename Predicate>
  void RemoveIf(Predicate remove) {
    candidates_.RemoveIf(remove);
  }

  // Keeps just the candidates at these distinct positions, in the order given where the dialect
  // keeps an order. A position that is none, or that comes twice, is an error.
  void KeepPositions(absl::Span<const int32_t> positions);

  // Keeps the k largest logits, none where k < 1; of equal ones the lower ids, or all that tie with
  // the k-th.
  void KeepLargest(int64_t k, TopKConfig::Ties ties);

  // Keeps the largest logit, of several the first position.
  void KeepFirstMaximum();

  // Keeps the most likely tokens up to the one with which their running sum crosses `mass`, and at
  // least `min_keep`. `crossing` says what crossing is; the dialect gives the arithmetic.
  void KeepNucleus(double mass, TopPConfig::Crossing crossing, int32_t min_keep);

  // Keeps the tokens that are at least `ratio` times as likely as the most likely one, and at least
  // `min_keep`.
  void KeepLikely(double ratio, int32_t min_keep);

 private:
  friend class Filter;

  void KeepFirstOf(absl::Span<const int32_t> rank, size_t n) {
    candidates_.KeepPositions(rank.first(n), /*sorted=*/true);
  }

  Candidates& candidates_;
  absl::Status fault_;
};

// A rule that removes tokens: masks, top-k, top-p, min-p.
class Filter : public Processor {
 public:
  // Removes tokens for this step. May be called any number of times a step and must do the same
  // each time; state changes only in Accept, Rollback and Reset.
  virtual absl::Status Apply(const StepContext& step, CandidateSelector& selector) const = 0;

 private:
  // Of candidates that are not checked yet it cannot tell whether any is left; the chain does.
  absl::Status Run(const StepContext& step, Candidates& candidates) final;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_FILTER_H_
