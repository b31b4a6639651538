#include "logitchain/cli/prompt_ids.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/cli/flags.h"
#include "logitchain/cli/usage_error.h"
#include "logitchain/core/counted.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/files/regular_file.h"
#include "logitchain/core/limits.h"
#include "logitchain/core/token_id.h"

namespace logitchain {
namespace {

// As many ids as a history holds, of ten digits, and what stands between them.
constexpr int64_t kMaxFileBytes = int64_t{kMaxHistory} * 16;

absl::StatusOr<std::string> ReadIdFile(const std::string& path) {
  const absl::StatusOr<RegularFile> file = RegularFile::Open(path);
  if (!file.ok()) return file.status();
  if (file->size() > kMaxFileBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": has ", file->size(), " bytes; a file of token ids may have ", kMaxFileBytes));
  }
  std::string text(file->size(), '\0');
  absl::Status status = file->ReadAt(0, absl::MakeSpan(text.data(), text.size()));
  if (!status.ok()) return status;
  return text;
}

// Refuses a comma without an id before or behind it; `source` is what errors call the ids.
absl::Status CheckCommas(absl::string_view text, absl::string_view source) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ',');
  if (parts.size() == 1) return absl::OkStatus();
  const auto error = [source](absl::string_view fault) {
    return absl::InvalidArgumentError(absl::StrCat(source, ": ", fault));
  };
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!absl::StripAsciiWhitespace(parts[i]).empty()) continue;
    if (i == 0) return error("begins with a comma");
    if (i + 1 == parts.size()) return error("ends with a comma");
    return error(absl::StrCat("has nothing between two commas, behind ", Counted(i, "id")));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<TokenId>> ParseIds(absl::string_view text, absl::string_view source,
                                              const Dialect& dialect, int32_t vocab_size) {
  std::vector<TokenId> ids;
  if (absl::Status status = CheckCommas(text, source); !status.ok()) return status;
  const int64_t largest =
      dialect.ids_must_be_in_vocabulary ? int64_t{vocab_size} - 1 : int64_t{UINT32_MAX};
  for (const absl::string_view word :
       absl::StrSplit(text, absl::ByAnyChar(", \t\r\n"), absl::SkipEmpty())) {
    uint32_t id;
    if (!absl::SimpleAtoi(word, &id)) {
      return absl::InvalidArgumentError(
          absl::StrCat(source, ": id ", ids.size(), " (counted from 0) is \"", word,
                       "\"; it must be a whole number from 0 to ", largest));
    }
    if (dialect.ids_must_be_in_vocabulary && id >= static_cast<uint32_t>(vocab_size)) {
      return absl::OutOfRangeError(absl::StrCat(
          source, ": id ", ids.size(), " (counted from 0) is ", id,
          "; the logits have a vocabulary of ", vocab_size, ", ids 0 to ", vocab_size - 1));
    }
    ids.push_back(static_cast<TokenId>(id));
  }
  return ids;
}

}  // namespace

absl::StatusOr<std::vector<TokenId>> ReadPromptIds(const std::string& value, const Dialect& dialect,
                                                   int32_t vocab_size) {
  if (absl::StartsWith(value, "@")) {
    const std::string path = value.substr(1);
    absl::Status status = CheckFileName("the file of --prompt_ids", path);
    if (!status.ok()) return status;
    const absl::StatusOr<std::string> text = ReadIdFile(path);
    if (!text.ok()) return text.status();
    return ParseIds(*text, path, dialect, vocab_size);
  }
  absl::StatusOr<std::vector<TokenId>> ids = ParseIds(value, "--prompt_ids", dialect, vocab_size);
  if (absl::IsInvalidArgument(ids.status())) return UsageError(ids.status().message());
  return ids;
}

}  // namespace logitchain
