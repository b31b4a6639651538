#ifndef LOGITCHAIN_GRAMMAR_VOCAB_LONGEST_TOKENS_H_
#define LOGITCHAIN_GRAMMAR_VOCAB_LONGEST_TOKENS_H_

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"

namespace logitchain {

// Splits texts into the longest tokens there are, from left to right. A grammar sees only the
// bytes, so any split will do for it. The vocabulary must outlive this.
class LongestTokens {
 public:
  explicit LongestTokens(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {
    absl::flat_hash_set<TokenId> no_texts(vocabulary.special_ids().begin(),
                                          vocabulary.special_ids().end());
    no_texts.insert(vocabulary.stop_ids().begin(), vocabulary.stop_ids().end());
    for (TokenId id = 0; id < vocabulary.size(); ++id) {
      const absl::string_view bytes = vocabulary.bytes(id);
      if (bytes.empty() || no_texts.contains(id)) continue;
      longest_ = std::max(longest_, bytes.size());
      ids_.try_emplace(bytes, id);
    }
  }

  // The longest token that the text begins with; nullopt if there is none.
  std::optional<TokenId> First(absl::string_view text) const {
    for (size_t size = std::min(longest_, text.size()); size > 0; --size) {
      const auto found = ids_.find(text.substr(0, size));
      if (found != ids_.end()) return found->second;
    }
    return std::nullopt;
  }

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
  const Vocabulary& vocabulary_;
  absl::flat_hash_map<absl::string_view, TokenId> ids_;
  size_t longest_ = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_VOCAB_LONGEST_TOKENS_H_
