#include "logitchain/processors/text_sequences.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"

namespace logitchain {
namespace {

// It bounds the search for a sequence at each token of a history.
constexpr size_t kMaxTailLength = 20;

using TokensByBytes = absl::flat_hash_map<absl::string_view, TokenId>;

// The tokens that `text` could be split into, by their bytes.
TokensByBytes TokensWithin(absl::string_view text, const Vocabulary& vocabulary) {
  TokensByBytes tokens;
  for (TokenId id = 0; id < vocabulary.size(); ++id) {
    const absl::string_view bytes = vocabulary.bytes(id);
    if (!bytes.empty() && absl::StrContains(text, bytes)) tokens.emplace(bytes, id);
  }
  return tokens;
}

// The tokens of `text`; empty if it cannot be split.
std::vector<TokenId> Split(absl::string_view text, const TokensByBytes& tokens) {
  std::vector<TokenId> ids;
  while (!text.empty()) {
    size_t length = text.size();
    while (length > 0 && !tokens.contains(text.substr(0, length))) --length;
    if (length == 0) return {};
    ids.push_back(tokens.at(text.substr(0, length)));
    text.remove_prefix(length);
  }
  return ids;
}

// What follows each beginning of `text`, by the length of that; empty where there is no such tail.
std::vector<std::vector<TokenId>> Tails(absl::string_view text, const Vocabulary& vocabulary) {
  const TokensByBytes tokens = TokensWithin(text, vocabulary);
  std::vector<std::vector<TokenId>> tails(text.size());
  for (size_t begun = 1; begun < text.size(); ++begun) {
    tails[begun] = Split(text.substr(begun), tokens);
    tails[begun].resize(std::min(tails[begun].size(), kMaxTailLength));
  }
  return tails;
}

}  // namespace

std::vector<std::vector<TokenId>> TextSequences(absl::string_view text,
                                                const Vocabulary& vocabulary) {
  const std::vector<std::vector<TokenId>> tails = Tails(text, vocabulary);
  std::vector<std::vector<TokenId>> sequences;
  for (TokenId id = 0; id < vocabulary.size(); ++id) {
    const absl::string_view bytes = vocabulary.bytes(id);
    if (absl::StrContains(bytes, text)) {
      sequences.push_back({id});
      continue;
    }
    for (size_t begun = 1; begun < text.size(); ++begun) {
      if (tails[begun].empty() || !absl::EndsWith(bytes, text.substr(0, begun))) continue;
      sequences.push_back({id});
      sequences.back().insert(sequences.back().end(), tails[begun].begin(), tails[begun].end());
    }
  }
  return sequences;
}

}  // namespace logitchain
