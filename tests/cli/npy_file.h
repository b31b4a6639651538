#ifndef LOGITCHAIN_TESTS_CLI_NPY_FILE_H_
#define LOGITCHAIN_TESTS_CLI_NPY_FILE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {

// Writes rows of logits, all of one size, to a .npy file, and returns its path.
std::string WriteNpy(const TempFolder& folder, absl::string_view name,
                     const std::vector<std::vector<float>>& rows);

// The rows of a .npy file; none, and a failed test, if it cannot be read.
std::vector<std::vector<float>> ReadNpy(const std::string& path);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_CLI_NPY_FILE_H_
