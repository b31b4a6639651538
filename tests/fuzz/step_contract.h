#ifndef LOGITCHAIN_TESTS_FUZZ_STEP_CONTRACT_H_
#define LOGITCHAIN_TESTS_FUZZ_STEP_CONTRACT_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/sample.h"

namespace logitchain {

// Chain::Sample, with all that a chain promises about a step, whatever its rules and logits are:
//   - a token that is removed stays removed, every other logit is finite;
//   - the distribution is one, and is 0 for removed tokens;
//   - the token is one that can be drawn;
//   - forks, and the chain itself once it is rolled back, draw the same again;
//   - where it fails, it fails in all ways, and the chain is as before.
// A chain with minfer_last_id_fallback may draw a token that is removed.
absl::StatusOr<Sample> SampleByContract(Chain& chain, absl::Span<const float> logits,
                                        bool may_fall_back);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_FUZZ_STEP_CONTRACT_H_
