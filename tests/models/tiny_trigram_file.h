#ifndef LOGITCHAIN_TESTS_MODELS_TINY_TRIGRAM_FILE_H_
#define LOGITCHAIN_TESTS_MODELS_TINY_TRIGRAM_FILE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {

// A language model in the ARPA text format: `</s>`, `<s>`, a and b, or two other names for the
// marks, and then `unknown` as a fifth word if it is not empty. Columns are log10 probability,
// n-gram, log10 back-off weight.
std::string TinyArpa(absl::string_view start, absl::string_view end, absl::string_view unknown);

// Converts a model in the ARPA text format to sphinxbase's binary format. Returns the file's path
// in `folder`.
std::string WriteTrigramFile(const TempFolder& folder, absl::string_view arpa);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_MODELS_TINY_TRIGRAM_FILE_H_
