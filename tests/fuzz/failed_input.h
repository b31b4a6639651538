#ifndef LOGITCHAIN_TESTS_FUZZ_FAILED_INPUT_H_
#define LOGITCHAIN_TESTS_FUZZ_FAILED_INPUT_H_

#include <cstdint>

#include "absl/types/span.h"

namespace logitchain {

// From now on, whatever ends the program by a signal or a sanitizer's report writes the input of
// StartInput to a file "failed_input", in the folder for a test's outputs or else the current one.
void KeepFailedInput();

// Says what runs until EndInput. It has so many seconds of this process's time; more of it ends the
// program.
void StartInput(absl::Span<const uint8_t> input, int max_seconds);
void EndInput();

// How many times slower a sanitizer makes code, of which ThreadSanitizer's documentation says 5 to
// 15 times; 1 if there is none.
int SanitizerSlowdown();

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_FUZZ_FAILED_INPUT_H_
