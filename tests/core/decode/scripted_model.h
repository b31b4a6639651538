#ifndef LOGITCHAIN_TESTS_CORE_DECODE_SCRIPTED_MODEL_H_
#define LOGITCHAIN_TESTS_CORE_DECODE_SCRIPTED_MODEL_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/language_model.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// A model that offers what a test tells it to, call by call, whatever the tokens are.
class ScriptedModel final : public LanguageModel {
 public:
  // Token i adds pieces[i] to a text.
  explicit ScriptedModel(std::vector<std::string> pieces, std::vector<TokenId> stop_ids = {});

  // Adds a step at which these are the logits.
  void Offer(std::vector<float> logits) { script_.push_back(std::move(logits)); }

  // Adds steps at which each of these tokens in turn is the most likely one: 1 against 0.
  void Say(absl::Span<const TokenId> tokens);

  // What NextLogits was given, call by call.
  const std::vector<std::vector<TokenId>>& asked() const { return asked_; }

  int vocab_size() const override { return static_cast<int>(pieces_.size()); }
  std::string TokenBytes(TokenId id) const override { return pieces_[id]; }
  absl::Span<const TokenId> stop_ids() const override { return stop_ids_; }
  absl::StatusOr<std::vector<TokenId>> Tokenize(absl::string_view text) const override;

  // OutOfRange "the script ends" behind the last step.
  absl::StatusOr<absl::Span<const float>> NextLogits(absl::Span<const TokenId> tokens) override;

 private:
  std::vector<std::string> pieces_;
  std::vector<TokenId> stop_ids_;
  std::vector<std::vector<float>> script_;
  std::vector<std::vector<TokenId>> asked_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_CORE_DECODE_SCRIPTED_MODEL_H_
