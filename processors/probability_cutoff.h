#ifndef LOGITCHAIN_PROCESSORS_PROBABILITY_CUTOFF_H_
#define LOGITCHAIN_PROCESSORS_PROBABILITY_CUTOFF_H_

#include <cstdint>

#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"

namespace logitchain {

// Keeps the candidates with a probability of at least `cutoff`, in the dialect's arithmetic. Where
// fewer than `min_keep` have that, the `min_keep` most likely stay, and with them those that tie
// with the last of them if the dialect's top-k keeps ties.
void KeepProbable(const Dialect& dialect, double cutoff, int32_t min_keep,
                  CandidateSelector& selector);

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_PROBABILITY_CUTOFF_H_
