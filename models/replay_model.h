#ifndef LOGITCHAIN_MODELS_REPLAY_MODEL_H_
#define LOGITCHAIN_MODELS_REPLAY_MODEL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/cli/npy.h"
#include "logitchain/core/language_model.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"

namespace logitchain {

// Plays back the logits that some model once computed, from a .npy file of shape [T, V], or [V] for
// a single step (see NpyReader for what is read). Row t holds the logits of step t, the one with t
// tokens behind the prompt, whatever those tokens are.
//
// A token's text is its id in decimal, with a space before it, and there is no stop id; with a
// vocabulary both are that one's.
class ReplayModel : public LanguageModel {
 public:
  static absl::StatusOr<std::unique_ptr<ReplayModel>> Open(const std::string& path);

  // How many of the tokens that NextLogits gets are the prompt; 0 if never called.
  void set_prompt_length(int64_t length) { prompt_length_ = length; }

  // At most as large as the logits; null for none.
  void set_vocabulary(std::shared_ptr<const Vocabulary> vocabulary) {
    vocabulary_ = std::move(vocabulary);
  }

  int64_t steps() const { return reader_.rows(); }

  int vocab_size() const override { return reader_.cols(); }
  std::string TokenBytes(TokenId id) const override;
  absl::Span<const TokenId> stop_ids() const override;

  // Ids in decimal, separated by whitespace: "464 2068".
  absl::StatusOr<std::vector<TokenId>> Tokenize(absl::string_view text) const override;

  // OutOfRange behind the last row, with the number of rows; InvalidArgument if `tokens` is shorter
  // than the prompt.
  absl::StatusOr<absl::Span<const float>> NextLogits(absl::Span<const TokenId> tokens) override;

 private:
  explicit ReplayModel(NpyReader reader);

  NpyReader reader_;
  std::shared_ptr<const Vocabulary> vocabulary_;
  int64_t prompt_length_ = 0;
  std::vector<float> row_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_MODELS_REPLAY_MODEL_H_
