#include "logitchain/core/vocabulary_files/vocabulary_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/files/read_text_file.h"
#include "logitchain/core/limits.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/core/vocabulary_files/file_tokens.h"
#include "logitchain/core/vocabulary_files/tiktoken.h"
#include "logitchain/core/vocabulary_files/tokenizer_json.h"

namespace logitchain {
namespace {

constexpr absl::string_view kUsualStopTokens[] = {
    "<|end_of_text|>", "<|eot_id|>", "<|eom_id|>",    "<|endoftext|>", "<|im_end|>",
    "<|end|>",         "</s>",       "<end_of_turn>", "<eos>",         "<|return|>",
};

absl::Status AddStopTokens(const VocabularyFileOptions& options, const FileTokens& tokens,
                           std::vector<TokenId>& stop_ids) {
  const auto add = [&](absl::string_view text) {
    const auto found = tokens.special_texts.find(text);
    if (found == tokens.special_texts.end()) return false;
    if (!absl::c_linear_search(stop_ids, found->second)) stop_ids.push_back(found->second);
    return true;
  };
  if (options.stop_tokens.empty()) {
    for (const absl::string_view text : kUsualStopTokens) add(text);
  }
  for (const std::string& text : options.stop_tokens) {
    if (add(text)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("there is no special token \"", text, "\", which is to end a text"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Vocabulary>> ParseVocabulary(
    absl::string_view content, const VocabularyFileOptions& options) {
  const bool is_json = absl::StartsWith(absl::StripLeadingAsciiWhitespace(content), "{");
  absl::StatusOr<FileTokens> tokens =
      is_json ? ParseTokenizerJson(content) : ParseTiktoken(content);
  if (!tokens.ok()) return tokens.status();
  std::vector<TokenId> stop_ids;
  if (absl::Status status = AddStopTokens(options, *tokens, stop_ids); !status.ok()) return status;
  for (const TokenId id : options.stop_ids) {
    if (id < 0 || id >= kMaxVocabSize) {
      return absl::InvalidArgumentError(
          absl::StrCat("the stop id ", id, " must be in [0, ", kMaxVocabSize, ")"));
    }
    if (!absl::c_linear_search(stop_ids, id)) stop_ids.push_back(id);
    if (static_cast<size_t>(id) >= tokens->bytes.size()) tokens->bytes.resize(id + 1);
  }
  std::vector<TokenId> special_ids;
  for (size_t id = 0; id < tokens->bytes.size(); ++id) {
    if (tokens->bytes[id].empty()) special_ids.push_back(static_cast<TokenId>(id));
  }
  return Vocabulary::Create({.token_bytes = std::move(tokens->bytes),
                             .special_ids = std::move(special_ids),
                             .stop_ids = std::move(stop_ids)});
}

absl::StatusOr<std::shared_ptr<const Vocabulary>> ReadVocabularyFile(
    const std::string& path, const VocabularyFileOptions& options) {
  const absl::StatusOr<std::string> content = ReadTextFile(path, kMaxVocabularyFileSize);
  if (!content.ok()) return content.status();
  absl::StatusOr<std::shared_ptr<const Vocabulary>> vocabulary = ParseVocabulary(*content, options);
  if (vocabulary.ok()) return vocabulary;
  return absl::Status(vocabulary.status().code(),
                      absl::StrCat(path, ": ", vocabulary.status().message()));
}

}  // namespace logitchain
