#include "logitchain/processors/followers.h"

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/token_id.h"

namespace logitchain {
namespace {

// Finds a pattern in tokens that are fed to it one by one.
class Matcher {
 public:
  explicit Matcher(absl::Span<const TokenId> pattern) : pattern_(pattern), border_(pattern.size()) {
    for (size_t i = 1; i < pattern.size(); ++i) {
      border_[i] = Extend(border_[i - 1], pattern[i]);
    }
  }

  // Whether the pattern ends with this token.
  bool Feed(TokenId id) {
    if (matched_ == pattern_.size()) matched_ = border_[matched_ - 1];
    matched_ = Extend(matched_, id);
    return matched_ == pattern_.size();
  }

 private:
  // How much of the pattern matches once `id` follows the first `matched` of its tokens.
  size_t Extend(size_t matched, TokenId id) const {
    while (matched > 0 && pattern_[matched] != id) matched = border_[matched - 1];
    return pattern_[matched] == id ? matched + 1 : 0;
  }

  absl::Span<const TokenId> pattern_;
  // The longest proper prefix of the pattern's first i + 1 tokens that is also their end.
  std::vector<size_t> border_;
  size_t matched_ = 0;
};

}  // namespace

std::vector<TokenId> Followers(absl::Span<const TokenId> text, absl::Span<const TokenId> pattern) {
  if (pattern.empty()) return std::vector<TokenId>(text.begin(), text.end());
  std::vector<TokenId> followers;
  Matcher matcher(pattern);
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    if (matcher.Feed(text[i])) followers.push_back(text[i + 1]);
  }
  return followers;
}

}  // namespace logitchain
