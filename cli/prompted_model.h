#ifndef LOGITCHAIN_CLI_PROMPTED_MODEL_H_
#define LOGITCHAIN_CLI_PROMPTED_MODEL_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/language_model.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"

namespace logitchain {

// A model, and its tokens of the text of --prompt.
struct PromptedModel {
  std::unique_ptr<LanguageModel> model;
  std::vector<TokenId> prompt;
  // What the tokens stand for, if a file says more of it than the model knows; else null.
  std::shared_ptr<const Vocabulary> vocabulary;
  // How many steps the model has logits for, where there is an end to them.
  std::optional<int64_t> steps;
};

// The trigram model of a file.
absl::StatusOr<PromptedModel> LoadTrigramsFor(absl::string_view prompt, const std::string& path);

// The logits of a .npy file in place of a model, and a vocabulary's file if there is one.
absl::StatusOr<PromptedModel> LoadReplayFor(absl::string_view prompt, const std::string& path,
                                            const std::optional<std::string>& vocabulary_path);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_PROMPTED_MODEL_H_
