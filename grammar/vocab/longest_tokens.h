#ifndef LOGITCHAIN_GRAMMAR_VOCAB_LONGEST_TOKENS_H_
#define LOGITCHAIN_GRAMMAR_VOCAB_LONGEST_TOKENS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"

namespace logitchain {

// Splits texts into the longest tokens there are, from left to right. A grammar sees only the
// bytes, so any split will do for it. The vocabulary must outlive this.
class LongestTokens {
 public:
  explicit LongestTokens(const Vocabulary& vocabulary);

  // The longest token that the text begins with; of equal ones the lowest id; nullopt if there is
  // none.
  std::optional<TokenId> First(absl::string_view text) const;

  // All of the text; it ends before the first byte that no token begins with.
  std::vector<TokenId> Split(absl::string_view text) const {
    std::vector<TokenId> ids;
    while (const std::optional<TokenId> id = First(text)) {
      ids.push_back(*id);
      text.remove_prefix(vocabulary_.bytes(*id).size());
    }
    return ids;
  }

 private:
  struct Entry {
    absl::string_view bytes;
    TokenId id;
    // The longest other token that this one begins with, by its index; -1 if there is none.
    int32_t beginning = -1;
  };

  const Vocabulary& vocabulary_;
  // Sorted by their bytes, which differ.
  std::vector<Entry> entries_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_VOCAB_LONGEST_TOKENS_H_
