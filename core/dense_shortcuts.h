#ifndef LOGITCHAIN_CORE_DENSE_SHORTCUTS_H_
#define LOGITCHAIN_CORE_DENSE_SHORTCUTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "logitchain/core/dense_logits.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {

// What the plain rules decide about a whole vocabulary, decided from bounds, without walking it.
// Each gives exactly the plain rule's result or none at all: where the bounds do not settle a
// question it is computed exactly, or the function declines and the caller walks.

// The token that the uniform u falls on when all tokens that are not removed are drawn from.
std::optional<TokenId> LandDart(const DrawRule& rule, DenseLogits& dense, double u);

// Fills the arrays with the nucleus (CandidateSelector::KeepNucleus), ids ascending.
bool TakeNucleus(const Dialect& dialect, DenseLogits& dense, double mass,
                 TopPConfig::Crossing crossing, int32_t min_keep, std::vector<TokenId>& ids,
                 std::vector<double>& logits);

// Fills the arrays with the tokens that are likely enough (CandidateSelector::KeepLikely), ids
// ascending.
bool TakeLikely(const Dialect& dialect, DenseLogits& dense, double ratio, int32_t min_keep,
                std::vector<TokenId>& ids, std::vector<double>& logits);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DENSE_SHORTCUTS_H_
