#ifndef LOGITCHAIN_CORE_DENSE_SHORTCUTS_H_
#define LOGITCHAIN_CORE_DENSE_SHORTCUTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "logitchain/core/dense_logits.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/kernels/exp_sums.h"
#include "logitchain/core/nucleus_search.h"
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

  // Keeps the tokens that are likely enough (CandidateSelector::KeepLikely).
  Result KeepLikely(const Dialect& dialect, DenseLogits& dense, double ratio, int32_t min_keep,
                    std::vector<TokenId>& ids, std::vector<double>& logits);

 private:
  // KeepNucleus where the nucleus is small: its size, 0 if it is larger than that, or nothing where
  // the bounds do not settle it.
  std::optional<size_t> TakeSmallNucleus(DenseLogits& dense, double mass, int32_t min_keep,
                                         std::vector<TokenId>& ids, std::vector<double>& logits);
  // KeepLikely where it keeps much of the vocabulary. Logits in [low, high) are too close to call.
  static bool CutUnlikely(DenseLogits& dense, double low, double high, int32_t min_keep);
  std::optional<TokenId> LandAmong(DenseLogits& dense, ExpPrecision precision, double u);

  NucleusSearch nucleus_search_;
  std::vector<TokenId> ids_;
  std::vector<double> terms_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DENSE_SHORTCUTS_H_
