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
  // `border` is scratch that the matcher fills.
  Matcher(absl::Span<const TokenId> pattern, std::vector<size_t>& border)
      : pattern_(pattern), border_(border) {
    border_.assign(pattern.size(), 0);
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
  std::vector<size_t>& border_;
  size_t matched_ = 0;
};

}  // namespace

absl::Span<const TokenId> FollowerFinder::Find(absl::Span<const TokenId> text,
                                               absl::Span<const TokenId> pattern) {
  if (pattern.empty()) return text;
  followers_.clear();
  Matcher matcher(pattern, border_);
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    if (matcher.Feed(text[i])) followers_.push_back(text[i + 1]);
  }
  return followers_;
}

}  // namespace logitchain
