#include "logitchain/core/vocabulary_files/tiktoken.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "logitchain/core/limits.h"
#include "logitchain/core/vocabulary_files/file_tokens.h"

namespace logitchain {
namespace {

absl::Status AddLine(absl::string_view line, int64_t lines, FileTokens& tokens) {
  const size_t space = line.find(' ');
  std::string bytes;
  int32_t id = 0;
  if (space == line.npos || !absl::Base64Unescape(line.substr(0, space), &bytes) ||
      !absl::SimpleAtoi(line.substr(space + 1), &id)) {
    return absl::InvalidArgumentError("must be a token in base64, a space, and its id");
  }
  if (bytes.empty()) return absl::InvalidArgumentError("the token has no bytes");
  if (id < 0 || id >= kMaxVocabSize) {
    return absl::InvalidArgumentError(
        absl::StrCat("the id is ", id, "; it must be in [0, ", kMaxVocabSize, ")"));
  }
  if (id >= lines + kMaxLeftOutIds) {
    return absl::InvalidArgumentError(
        absl::StrCat("the id is ", id, "; a file may leave out at most ", kMaxLeftOutIds, " ids"));
  }
  if (static_cast<size_t>(id) >= tokens.bytes.size()) tokens.bytes.resize(id + 1);
  if (!tokens.bytes[id].empty()) {
    return absl::InvalidArgumentError(absl::StrCat("there is a token ", id, " before"));
  }
  tokens.bytes[id] = std::move(bytes);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FileTokens> ParseTiktoken(absl::string_view content) {
  FileTokens tokens;
  const int64_t lines = absl::c_count(content, '\n') + 1;
  int64_t number = 0;
  for (absl::string_view line : absl::StrSplit(content, '\n')) {
    ++number;
    line = absl::StripSuffix(line, "\r");
    if (line.empty()) continue;
    if (absl::Status status = AddLine(line, lines, tokens); !status.ok()) {
      return absl::Status(status.code(), absl::StrCat(number, ": ", status.message()));
    }
  }
  return tokens;
}

}  // namespace logitchain
