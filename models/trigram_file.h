#ifndef LOGITCHAIN_MODELS_TRIGRAM_FILE_H_
#define LOGITCHAIN_MODELS_TRIGRAM_FILE_H_

#include <string>

#include "absl/status/status.h"

namespace logitchain {

// Whether the file is a whole trigram model in sphinxbase's binary format, the one that begins with
// "Trie Language Model". libsphinxbase checks no read and aborts the process, or reads past its
// memory, when a file is cut; so this looks at the header, at the size that the header's counts ask
// for, and at the list of words. The n-grams between them are trusted: give no file of unknown
// origin.
//
// Every error starts with the path and says what is wrong.
absl::Status CheckTrigramFile(const std::string& path);

}  // namespace logitchain

#endif  // LOGITCHAIN_MODELS_TRIGRAM_FILE_H_
