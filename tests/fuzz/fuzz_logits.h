#ifndef LOGITCHAIN_TESTS_FUZZ_FUZZ_LOGITS_H_
#define LOGITCHAIN_TESTS_FUZZ_FUZZ_LOGITS_H_

#include <cstdint>
#include <vector>

#include "logitchain/tests/fuzz/input_reader.h"

namespace logitchain {

// A row of logits: usual ones, ties, ends of the range, or any bits at all.
std::vector<float> LogitsFrom(InputReader& input, int32_t vocab_size);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_FUZZ_FUZZ_LOGITS_H_
