#include "logitchain/core/vocabulary.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/language_model.h"
#include "logitchain/core/limits.h"
#include "logitchain/core/token_id.h"

namespace logitchain {
namespace {

absl::Status CheckIds(absl::Span<const TokenId> ids, absl::string_view kind, size_t size) {
  for (const TokenId id : ids) {
    if (id >= 0 && static_cast<size_t>(id) < size) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("the ", kind, " id ", id, " is not in the vocabulary, [0, ", size, ")"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Vocabulary>> Vocabulary::Create(Parts parts) {
  const size_t size = parts.token_bytes.size();
  if (size < 1 || size > kMaxVocabSize) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the vocabulary has ", size, " tokens; it must be in [1, ", kMaxVocabSize, "]"));
  }
  absl::Status status = CheckIds(parts.special_ids, "special", size);
  status.Update(CheckIds(parts.stop_ids, "stop", size));
  if (!status.ok()) return status;
  absl::c_sort(parts.special_ids);
  return std::shared_ptr<const Vocabulary>(new Vocabulary(std::move(parts)));
}

absl::StatusOr<std::shared_ptr<const Vocabulary>> Vocabulary::Of(const LanguageModel& model) {
  const absl::Span<const TokenId> stop_ids = model.stop_ids();
  Parts parts = {.special_ids = {stop_ids.begin(), stop_ids.end()},
                 .stop_ids = {stop_ids.begin(), stop_ids.end()}};
  parts.token_bytes.reserve(model.vocab_size());
  for (TokenId id = 0; id < model.vocab_size(); ++id) {
    parts.token_bytes.push_back(model.TokenBytes(id));
  }
  return Create(std::move(parts));
}

absl::string_view Vocabulary::bytes(TokenId id) const {
  return id >= 0 && id < size() ? absl::string_view(parts_.token_bytes[id]) : "";
}

}  // namespace logitchain
