#include "logitchain/tests/core/decode/scripted_model.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

ScriptedModel::ScriptedModel(std::vector<std::string> pieces, std::vector<TokenId> stop_ids)
    : pieces_(std::move(pieces)), stop_ids_(std::move(stop_ids)) {}

void ScriptedModel::Say(absl::Span<const TokenId> tokens) {
  for (const TokenId token : tokens) {
    std::vector<float> logits(pieces_.size());
    logits[token] = 1;
    Offer(std::move(logits));
  }
}

absl::StatusOr<std::vector<TokenId>> ScriptedModel::Tokenize(absl::string_view) const {
  return absl::UnimplementedError("a script has no tokens for text");
}

absl::StatusOr<absl::Span<const float>> ScriptedModel::NextLogits(
    absl::Span<const TokenId> tokens) {
  const size_t step = asked_.size();
  asked_.emplace_back(tokens.begin(), tokens.end());
  if (step >= script_.size()) return absl::OutOfRangeError("the script ends");
  return absl::MakeConstSpan(script_[step]);
}

}  // namespace logitchain
