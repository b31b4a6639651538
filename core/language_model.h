#ifndef LOGITCHAIN_CORE_LANGUAGE_MODEL_H_
#define LOGITCHAIN_CORE_LANGUAGE_MODEL_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Where a chain's logits come from. A model keeps no history of its own: every call passes the
// whole of it, so a step may be repeated, rolled back or taken from another branch.
//
// The const functions may be called from several threads at once; NextLogits may not, nor beside
// them: give each thread its own model.
class LanguageModel {
 public:
  virtual ~LanguageModel() = default;

  // The number of tokens, at least 1. Ids are 0 to vocab_size() - 1.
  virtual int vocab_size() const = 0;

  // The bytes that the token adds to a text; one token may hold a part of a UTF-8 character. Empty
  // for a token that adds nothing, such as a stop token, and for an id outside the vocabulary.
  virtual std::string TokenBytes(TokenId id) const = 0;

  // The tokens that end a text; may be empty. Valid as long as the model.
  virtual absl::Span<const TokenId> stop_ids() const = 0;

  // The tokens of `text`; none for a text without any. InvalidArgument names the part of the text
  // that the model has no token for.
  virtual absl::StatusOr<std::vector<TokenId>> Tokenize(absl::string_view text) const = 0;

  // The logits of the token that follows `tokens` (prompt and output, oldest first, may be empty),
  // indexed by token id: shape [vocab_size()]. -inf is a token that cannot follow; NaN and +inf are
  // for the chain to judge. Valid until the next call.
  // InvalidArgument names an id outside the vocabulary and its position.
  virtual absl::StatusOr<absl::Span<const float>> NextLogits(absl::Span<const TokenId> tokens) = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_LANGUAGE_MODEL_H_
