#ifndef LOGITCHAIN_CORE_DENSE_SHORTCUTS_H_
#define LOGITCHAIN_CORE_DENSE_SHORTCUTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "logitchain/core/dense_logits.h"
#include "logitchain/core/dense_moments.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/nucleus_search.h"
#include "logitchain/core/ranked_token.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// What the plain rules decide about a whole vocabulary, decided from bounds, without walking it.
// Each gives exactly the plain rule's result or none at all: where the bounds do not settle a
// question, the function declines and the caller walks.
class DenseShortcuts {
 public:
  enum class Result {
    kDeclined,  // Nothing was done.
    kCut,       // The others were removed.
    kTaken,     // The arrays hold the tokens that stay, ids ascending.
  };

  // The token that the uniform u falls on when all tokens that are not removed are drawn from.
  std::optional<TokenId> LandDart(const DrawRule& rule, DenseLogits& dense, double u);

  // Keeps the nucleus (CandidateSelector::KeepNucleus).
  Result KeepNucleus(const Dialect& dialect, DenseLogits& dense, double mass, int32_t min_keep,
                     std::vector<TokenId>& ids, std::vector<double>& logits);

  // Keeps the tokens closest to the mean (CandidateSelector::TryKeepTypical).
  Result KeepTypical(const Dialect& dialect, DenseLogits& dense, double mass, int32_t min_keep,
                     std::vector<TokenId>& ids, std::vector<double>& logits);

  // Keeps the tokens close to the largest logit (CandidateSelector::TryKeepTopSigma).
  Result KeepTopSigma(const Dialect& dialect, DenseLogits& dense, double n, int32_t min_keep,
                      std::vector<TokenId>& ids, std::vector<double>& logits);

  // Keeps the tokens that are likely enough (CandidateSelector::KeepLikely).
  Result KeepLikely(const Dialect& dialect, DenseLogits& dense, double ratio, int32_t min_keep,
                    std::vector<TokenId>& ids, std::vector<double>& logits);

 private:
  // KeepNucleus where the nucleus is small: its size, 0 if it is larger than that, or nothing where
  // the bounds do not settle it.
  std::optional<size_t> TakeSmallNucleus(DenseLogits& dense, double mass, int32_t min_keep,
                                         std::vector<TokenId>& ids, std::vector<double>& logits);
  // KeepTypical where few tokens stay; false if it does not settle it.
  bool TakeFewTypical(DenseLogits& dense, double mass, int32_t min_keep, std::vector<TokenId>& ids,
                      std::vector<double>& logits);
  // The same, given the mean: as TakeSmallNucleus.
  std::optional<size_t> TakeFewTypical(DenseLogits& dense, const WeightedMean& mean, double mass,
                                       int32_t min_keep, std::vector<TokenId>& ids,
                                       std::vector<double>& logits);
  // Keeps the tokens with a logit of at least a bound that is in [low, high), and the largest in
  // any case; declines if a logit is too close to call or fewer than `min_keep` would stay.
  // `can_cut` says whether the tokens that stay may remain where they are.
  static Result KeepAbove(DenseLogits& dense, double low, double high, int32_t min_keep,
                          bool can_cut, std::vector<TokenId>& ids, std::vector<double>& logits);
  // KeepAbove where it keeps much of the vocabulary.
  static bool CutBelow(DenseLogits& dense, double low, double high, int32_t min_keep);
  std::optional<TokenId> LandAmong(DenseLogits& dense, ExpPrecision precision, double u);

  NucleusSearch nucleus_search_;
  std::vector<TokenId> ids_;
  std::vector<double> terms_;
  std::vector<RankedToken> ranked_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DENSE_SHORTCUTS_H_
