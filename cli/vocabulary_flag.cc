#include "logitchain/cli/vocabulary_flag.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "logitchain/cli/flags.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/core/vocabulary_files/vocabulary_file.h"

namespace logitchain {

Flag VocabularyFlag(std::optional<std::string>* path) {
  return {.name = "vocab",
          .value_name = "FILE",
          .help =
              "what the tokens of the logits stand for, for rules about texts such as "
              "grammar_mask: a tiktoken file or a Hugging Face tokenizer.json",
          .target = path};
}

absl::StatusOr<std::shared_ptr<const Vocabulary>> LoadVocabularyFor(
    const std::optional<std::string>& path, int32_t columns) {
  if (!path) return nullptr;
  absl::StatusOr<std::shared_ptr<const Vocabulary>> vocabulary = ReadVocabularyFile(*path);
  if (!vocabulary.ok() || (*vocabulary)->size() <= columns) return vocabulary;
  return absl::InvalidArgumentError(absl::StrCat("--vocab: ", *path, " has ", (*vocabulary)->size(),
                                                 " tokens; the logits have ", columns,
                                                 " columns, and it may have no more"));
}

}  // namespace logitchain
