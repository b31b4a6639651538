#ifndef LOGITCHAIN_TESTS_GRAMMAR_JSON_SCHEMA_DOCUMENT_WRITER_H_
#define LOGITCHAIN_TESTS_GRAMMAR_JSON_SCHEMA_DOCUMENT_WRITER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/grammar/engine/matcher.h"
#include "logitchain/grammar/vocab/longest_tokens.h"
#include "nlohmann/json.hpp"

namespace logitchain {

// Writes JSON at random.
class DocumentWriter {
 public:
  // The vocabulary must outlive this. `words` are strings that the documents would hardly have if
  // tokens alone were chosen at random.
  DocumentWriter(const Vocabulary& vocabulary, std::vector<std::string> words, uint64_t seed)
      : vocabulary_(vocabulary), tokens_(vocabulary), words_(std::move(words)), random_(seed) {}

  // A text of the matcher's grammar, token by token from its masks. From some length on it brings
  // what is open to an end where it can; nullopt if that takes too long. Numbers stay short, unless
  // the grammar asks for more.
  std::optional<std::string> Write(Matcher matcher);

  // The document with a change somewhere in it.
  nlohmann::json Changed(nlohmann::json document);

 private:
  using Json = nlohmann::json;

  // Writes a word and a quote, if one of a few may come.
  void TryWord(Matcher& matcher, std::string& text);
  TokenId Choose(absl::Span<const TokenId> allowed, const std::string& text);
  bool Chance(double probability) { return random_.NextUniform() < probability; }
  size_t Below(size_t count) { return static_cast<size_t>(random_.NextUniform() * count); }
  template <typename List>
  const auto& OneOf(const List& list) {
    return list[Below(list.size())];
  }
  absl::string_view BytesOf(TokenId id) const { return vocabulary_.bytes(id); }

  void Change(Json& value);
  void ChangeNumber(Json& number);
  void ChangeString(Json& string);
  void ChangeArray(Json& array);
  void ChangeObject(Json& object);
  Json Replacement();

  const Vocabulary& vocabulary_;
  const LongestTokens tokens_;
  const std::vector<std::string> words_;
  Pcg32 random_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_GRAMMAR_JSON_SCHEMA_DOCUMENT_WRITER_H_
