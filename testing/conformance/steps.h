#ifndef LOGITCHAIN_TESTING_CONFORMANCE_STEPS_H_
#define LOGITCHAIN_TESTING_CONFORMANCE_STEPS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/sample.h"
#include "logitchain/testing/conformance/sample_environment.h"

namespace logitchain {

using Rows = std::vector<std::vector<float>>;

// Rows of logits in [−8, 8), which no two tokens of a row share.
Rows FullRows(uint64_t seed, int count, int32_t vocab_size = kSampleVocabSize);

// The same, with every fifth token removed.
Rows RowsWithHoles(uint64_t seed, int count);

// Rows that have nothing usual about them, but every token: equal logits, ties, one far above the
// others, and steps of ten.
Rows OddRows();

// Rows that have one token or two.
Rows NarrowRows();

// What one step of a chain gave.
struct Step {
  std::vector<double> processed;
  std::vector<double> distribution;
  Sample sample;
};

// Asks the chain for all of it.
absl::StatusOr<Step> TakeStep(Chain& chain, absl::Span<const float> row);
absl::StatusOr<std::vector<Step>> TakeSteps(Chain& chain, const Rows& rows);

// An error that says where the steps differ in a bit, if they do; it begins with `what`.
absl::Status ExpectSame(absl::string_view what, const std::vector<Step>& expected,
                        const std::vector<Step>& actual);

// What a check says that fails.
absl::Status Failure(absl::string_view message);

// Prepends where it happened.
absl::Status At(absl::string_view where, const absl::Status& status);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTING_CONFORMANCE_STEPS_H_
