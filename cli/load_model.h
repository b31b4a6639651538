#ifndef LOGITCHAIN_CLI_LOAD_MODEL_H_
#define LOGITCHAIN_CLI_LOAD_MODEL_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "logitchain/cli/flags.h"
#include "logitchain/core/language_model.h"

namespace logitchain {

// --model=FILE; `path` holds the default, kDefaultTrigramModelPath.
Flag ModelFlag(std::string* path);

// Loads a trigram model. If there is none, the error says how to install the default.
absl::StatusOr<std::unique_ptr<LanguageModel>> LoadTrigramModel(const std::string& path);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_LOAD_MODEL_H_
