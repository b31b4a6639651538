#include "logitchain/models/trigram_model.h"

#include <sphinxbase/err.h>
#include <sphinxbase/logmath.h>
#include <sphinxbase/ngram_model.h>

#include <cmath>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "logitchain/models/trigram_file.h"

namespace logitchain {
namespace {

// The library's scores are integer logarithms to this base. Binary files hold them ready-made, so
// another base would read every probability wrong.
constexpr double kLogBase = 1.0001;

constexpr int kHistorySize = 2;  // Of a trigram.

absl::Status CheckIds(absl::Span<const TokenId> tokens, int vocab_size) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] < 0 || tokens[i] >= vocab_size) {
      return absl::InvalidArgumentError(
          absl::StrFormat("tokens[%d] is %d; ids are 0 to %d", i, tokens[i], vocab_size - 1));
    }
  }
  return absl::OkStatus();
}

}  // namespace

void TrigramModel::LogBaseDeleter::operator()(logmath_s* base) const { logmath_free(base); }
void TrigramModel::ModelDeleter::operator()(ngram_model_s* model) const { ngram_model_free(model); }

absl::StatusOr<std::unique_ptr<TrigramModel>> TrigramModel::Load(const std::string& path) {
  if (absl::Status status = CheckTrigramFile(path); !status.ok()) return status;
  err_set_callback(nullptr, nullptr);
  LogBase log_base(logmath_init(kLogBase, /*shift=*/0, /*use_table=*/0));
  Model model(ngram_model_read(/*config=*/nullptr, path.c_str(), NGRAM_BIN, log_base.get()));
  if (model == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": libsphinxbase cannot read it"));
  }
  std::unique_ptr<TrigramModel> result(new TrigramModel(std::move(log_base), std::move(model)));
  if (result->start_id_ < 0 || result->end_id_ < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": its words lack <s> or </s>, where sentences begin and end"));
  }
  return result;
}

TrigramModel::TrigramModel(LogBase log_base, Model model)
    : log_base_(std::move(log_base)),
      model_(std::move(model)),
      start_id_(Find("<s>")),
      end_id_(Find("</s>")),
      unknown_id_(ngram_unknown_wid(model_.get())),
      logits_(ngram_model_get_counts(model_.get())[0]) {}

TrigramModel::~TrigramModel() = default;

TokenId TrigramModel::Find(const std::string& word) const {
  const TokenId id = ngram_wid(model_.get(), word.c_str());
  // An unknown word is <UNK> to the library, and one with a zero byte inside is cut at it.
  return id >= 0 && ngram_word(model_.get(), id) == word ? id : -1;
}

std::string TrigramModel::TokenBytes(TokenId id) const {
  if (id < 0 || id >= vocab_size() || IsMark(id)) return "";
  return absl::StrCat(" ", ngram_word(model_.get(), id));
}

absl::StatusOr<std::vector<TokenId>> TrigramModel::Tokenize(absl::string_view text) const {
  std::vector<TokenId> ids;
  for (absl::string_view word :
       absl::StrSplit(text, absl::ByAnyChar(" \t\r\n\v\f"), absl::SkipEmpty())) {
    const TokenId id = Find(absl::AsciiStrToLower(word));
    if (id < 0 || IsMark(id)) {
      return absl::InvalidArgumentError(absl::StrFormat(
          "word %d, \"%s\", is not in the model's vocabulary", ids.size() + 1, word));
    }
    ids.push_back(id);
  }
  return ids;
}

absl::StatusOr<absl::Span<const float>> TrigramModel::NextLogits(absl::Span<const TokenId> tokens) {
  if (absl::Status status = CheckIds(tokens, vocab_size()); !status.ok()) return status;
  // The library wants the latest word first.
  int32_t history[kHistorySize];
  int size = 0;
  for (size_t i = tokens.size(); size < kHistorySize && i-- > 0 && !IsMark(tokens[i]);) {
    history[size++] = tokens[i];
  }
  if (size < kHistorySize) history[size++] = start_id_;

  const double nats_per_score = std::log(kLogBase);
  for (TokenId id = 0; id < vocab_size(); ++id) {
    int used;  // The order of the n-gram that was found.
    const int score = ngram_ng_score(model_.get(), id, history, size, &used);
    logits_[id] = static_cast<float>(score * nats_per_score);
  }
  for (const TokenId id : {start_id_, unknown_id_}) {
    if (id >= 0) logits_[id] = -std::numeric_limits<float>::infinity();
  }
  return absl::MakeConstSpan(logits_);
}

}  // namespace logitchain
