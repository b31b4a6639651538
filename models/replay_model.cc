#include "logitchain/models/replay_model.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "logitchain/core/counted.h"

namespace logitchain {

absl::StatusOr<std::unique_ptr<ReplayModel>> ReplayModel::Open(const std::string& path) {
  absl::StatusOr<NpyReader> reader = NpyReader::Open(path);
  if (!reader.ok()) return reader.status();
  return std::unique_ptr<ReplayModel>(new ReplayModel(*std::move(reader)));
}

ReplayModel::ReplayModel(NpyReader reader) : reader_(std::move(reader)), row_(reader_.cols()) {}

std::string ReplayModel::TokenBytes(TokenId id) const {
  if (vocabulary_ != nullptr) return std::string(vocabulary_->bytes(id));
  return id < 0 || id >= vocab_size() ? "" : absl::StrCat(" ", id);
}

absl::Span<const TokenId> ReplayModel::stop_ids() const {
  return vocabulary_ == nullptr ? absl::Span<const TokenId>() : vocabulary_->stop_ids();
}

absl::StatusOr<std::vector<TokenId>> ReplayModel::Tokenize(absl::string_view text) const {
  std::vector<TokenId> ids;
  for (absl::string_view word :
       absl::StrSplit(text, absl::ByAnyChar(" \t\r\n\v\f"), absl::SkipEmpty())) {
    TokenId id;
    if (!absl::SimpleAtoi(word, &id) || id < 0 || id >= vocab_size()) {
      return absl::InvalidArgumentError(
          absl::StrFormat("word %d, \"%s\", is not a token id; ids are 0 to %d", ids.size() + 1,
                          word, vocab_size() - 1));
    }
    ids.push_back(id);
  }
  return ids;
}

absl::StatusOr<absl::Span<const float>> ReplayModel::NextLogits(absl::Span<const TokenId> tokens) {
  const int64_t step = static_cast<int64_t>(tokens.size()) - prompt_length_;
  if (step < 0) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%d tokens are fewer than the prompt's %d", tokens.size(), prompt_length_));
  }
  if (step >= steps()) {
    return absl::OutOfRangeError(
        absl::StrFormat("step %d (counted from 0) has no logits; the replayed file holds %s", step,
                        Counted(steps(), "row")));
  }
  if (absl::Status status = reader_.Seek(step); !status.ok()) return status;
  if (absl::Status status = reader_.ReadRow(absl::MakeSpan(row_)); !status.ok()) return status;
  return absl::MakeConstSpan(row_);
}

}  // namespace logitchain
