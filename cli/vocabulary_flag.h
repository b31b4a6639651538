#ifndef LOGITCHAIN_CLI_VOCABULARY_FLAG_H_
#define LOGITCHAIN_CLI_VOCABULARY_FLAG_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "logitchain/cli/flags.h"
#include "logitchain/core/vocabulary.h"

namespace logitchain {

// --vocab=FILE, for logits of a file, of which only the tokens' ids are known.
Flag VocabularyFlag(std::optional<std::string>* path);

// The vocabulary of the file for logits with so many columns; null without a file. It may leave out
// the last columns, which then are no tokens' own. InvalidArgument if it has more tokens.
absl::StatusOr<std::shared_ptr<const Vocabulary>> LoadVocabularyFor(
    const std::optional<std::string>& path, int32_t columns);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_VOCABULARY_FLAG_H_
