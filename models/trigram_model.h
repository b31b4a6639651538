#ifndef LOGITCHAIN_MODELS_TRIGRAM_MODEL_H_
#define LOGITCHAIN_MODELS_TRIGRAM_MODEL_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/language_model.h"
#include "logitchain/core/token_id.h"

struct logmath_s;
struct ngram_model_s;

namespace logitchain {

// Where Debian's package pocketsphinx-en-us installs its model: 72,547 English words, the two
// sentence marks among them, 2.1 million bigrams and 1.7 million trigrams.
inline constexpr char kDefaultTrigramModelPath[] =
    "/usr/share/pocketsphinx/model/en-us/en-us.lm.bin";

// A trigram model of words, read by libsphinxbase.
//
// Tokens are words; ids are places in the file's word list, which in the default model is sorted.
// A logit is the natural logarithm of the word's probability behind the two words before it. The
// file keeps quantized values and libsphinxbase rounds to 0.0001 nats, so exp(logits) sums to 1
// over the vocabulary only to within about 1%.
//
// Two tokens are marks and no words; TokenBytes of either is empty, and Tokenize knows neither:
//   </s>  ends a sentence and is the only stop id.
//   <s>   begins one. It stands, unwritten, before the first token and behind every </s>, and what
//         lies before it has no influence. Its logit is -inf: it never comes out.
// A model with a stand-in for unknown words, <UNK>, gives it -inf too. The default model has none,
// and no other words in brackets.
//
// A step costs one look-up per word, about 5 ms for the default model; loading it takes about 80 ms
// and 30 MB.
class TrigramModel : public LanguageModel {
 public:
  // Loads a model in sphinxbase's binary format (see CheckTrigramFile for what is checked). Errors
  // start with the path. libsphinxbase's own messages are turned off for the whole process.
  static absl::StatusOr<std::unique_ptr<TrigramModel>> Load(
      const std::string& path = kDefaultTrigramModelPath);

  ~TrigramModel() override;

  int vocab_size() const override { return static_cast<int>(logits_.size()); }

  // " " and the word.
  std::string TokenBytes(TokenId id) const override;

  absl::Span<const TokenId> stop_ids() const override { return absl::MakeConstSpan(&end_id_, 1); }

  // Words are what whitespace separates. The default model's are in lower case and without
  // punctuation ("don't", "u. s."), so the text's ASCII letters are lowered first.
  absl::StatusOr<std::vector<TokenId>> Tokenize(absl::string_view text) const override;

  absl::StatusOr<absl::Span<const float>> NextLogits(absl::Span<const TokenId> tokens) override;

 private:
  // The library does not free a model's log base with it.
  struct LogBaseDeleter {
    void operator()(logmath_s* base) const;
  };
  struct ModelDeleter {
    void operator()(ngram_model_s* model) const;
  };
  using LogBase = std::unique_ptr<logmath_s, LogBaseDeleter>;
  using Model = std::unique_ptr<ngram_model_s, ModelDeleter>;

  TrigramModel(LogBase log_base, Model model);

  // The id of exactly this word or mark; -1 if there is none.
  TokenId Find(const std::string& word) const;

  bool IsMark(TokenId id) const { return id == start_id_ || id == end_id_; }

  const LogBase log_base_;
  const Model model_;
  const TokenId start_id_;
  const TokenId end_id_;
  const TokenId unknown_id_;  // -1 if there is none.
  std::vector<float> logits_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_MODELS_TRIGRAM_MODEL_H_
