#include "logitchain/cli/prompted_model.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/cli/load_model.h"
#include "logitchain/cli/vocabulary_flag.h"
#include "logitchain/core/language_model.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/models/replay_model.h"

namespace logitchain {
namespace {

absl::StatusOr<std::vector<TokenId>> TokenizePrompt(const LanguageModel& model,
                                                    absl::string_view prompt) {
  absl::StatusOr<std::vector<TokenId>> tokens = model.Tokenize(prompt);
  if (tokens.ok()) return tokens;
  return absl::Status(tokens.status().code(),
                      absl::StrCat("--prompt: ", tokens.status().message()));
}

}  // namespace

absl::StatusOr<PromptedModel> LoadTrigramsFor(absl::string_view prompt, const std::string& path) {
  absl::StatusOr<std::unique_ptr<LanguageModel>> model = LoadTrigramModel(path);
  if (!model.ok()) return model.status();
  absl::StatusOr<std::vector<TokenId>> tokens = TokenizePrompt(**model, prompt);
  if (!tokens.ok()) return tokens.status();
  return PromptedModel{.model = *std::move(model), .prompt = *std::move(tokens)};
}

absl::StatusOr<PromptedModel> LoadReplayFor(absl::string_view prompt, const std::string& path,
                                            const std::optional<std::string>& vocabulary_path) {
  absl::StatusOr<std::unique_ptr<ReplayModel>> model = ReplayModel::Open(path);
  if (!model.ok()) return model.status();
  absl::StatusOr<std::vector<TokenId>> tokens = TokenizePrompt(**model, prompt);
  if (!tokens.ok()) return tokens.status();
  absl::StatusOr<std::shared_ptr<const Vocabulary>> vocabulary =
      LoadVocabularyFor(vocabulary_path, (*model)->vocab_size());
  if (!vocabulary.ok()) return vocabulary.status();
  (*model)->set_vocabulary(*vocabulary);
  (*model)->set_prompt_length(static_cast<int64_t>(tokens->size()));
  const int64_t steps = (*model)->steps();
  return PromptedModel{.model = *std::move(model),
                       .prompt = *std::move(tokens),
                       .vocabulary = *std::move(vocabulary),
                       .steps = steps};
}

}  // namespace logitchain
