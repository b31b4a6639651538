#ifndef LOGITCHAIN_TESTS_TESTING_SAMPLE_TEXT_H_
#define LOGITCHAIN_TESTS_TESTING_SAMPLE_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "logitchain/core/sample.h"

namespace logitchain {

// All that a sample says, with every bit of its numbers, or the error: equal texts are equal
// results.
std::string SampleText(const absl::StatusOr<Sample>& sample);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_SAMPLE_TEXT_H_
