#ifndef LOGITCHAIN_CORE_VOCABULARY_H_
#define LOGITCHAIN_CORE_VOCABULARY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/language_model.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// What the tokens of a model stand for. It never changes, so chains and threads share one.
class Vocabulary {
 public:
  struct Parts {
    // What each token adds to a text, by id; empty for a token that adds nothing.
    std::vector<std::string> token_bytes;
    // Tokens that are no text, such as those that separate the turns of a chat.
    std::vector<TokenId> special_ids;
    // Tokens that end a text.
    std::vector<TokenId> stop_ids;
  };

  // InvalidArgument if there is no token, or more than kMaxVocabSize, or an id is not one of them.
  static absl::StatusOr<std::shared_ptr<const Vocabulary>> Create(Parts parts);

  // That of a model, with its stop ids as the special ones.
  static absl::StatusOr<std::shared_ptr<const Vocabulary>> Of(const LanguageModel& model);

  int32_t size() const { return static_cast<int32_t>(parts_.token_bytes.size()); }

  // Empty for an id outside the vocabulary. Valid as long as this.
  absl::string_view bytes(TokenId id) const;

  // Ascending.
  absl::Span<const TokenId> special_ids() const { return parts_.special_ids; }
  absl::Span<const TokenId> stop_ids() const { return parts_.stop_ids; }

 private:
  explicit Vocabulary(Parts parts) : parts_(std::move(parts)) {}

  Parts parts_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_VOCABULARY_H_
