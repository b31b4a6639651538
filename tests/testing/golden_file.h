#ifndef LOGITCHAIN_TESTS_TESTING_GOLDEN_FILE_H_
#define LOGITCHAIN_TESTS_TESTING_GOLDEN_FILE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"

namespace logitchain {

// The bytes of a file of the workspace, for example "tests/golden/pcg32_vectors.json". The test
// lists the file in its `data`. A file that cannot be read fails the test, with its path, and gives
// "".
std::string ReadTestFile(absl::string_view path);

// The same, parsed. Unsigned 64-bit integers keep every bit: read them with get<uint64_t>(). Text
// that is not JSON fails the test and gives a discarded value, whose accessors throw.
nlohmann::json ReadTestJson(absl::string_view path);

// ReadTestJson of a file in tests/golden.
nlohmann::json ReadGoldenJson(absl::string_view name);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_GOLDEN_FILE_H_
