#include "logitchain/grammar/vocab/longest_tokens.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"

namespace logitchain {
namespace {

size_t CommonBeginning(absl::string_view a, absl::string_view b) {
  return std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
}

}  // namespace

LongestTokens::LongestTokens(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {
  absl::flat_hash_set<TokenId> no_texts(vocabulary.special_ids().begin(),
                                        vocabulary.special_ids().end());
  no_texts.insert(vocabulary.stop_ids().begin(), vocabulary.stop_ids().end());
  for (TokenId id = 0; id < vocabulary.size(); ++id) {
    const absl::string_view bytes = vocabulary.bytes(id);
    if (!bytes.empty() && !no_texts.contains(id)) entries_.push_back({bytes, id});
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.bytes, a.id) < std::tie(b.bytes, b.id);
  });
  const auto end = std::unique(entries_.begin(), entries_.end(),
                               [](const Entry& a, const Entry& b) { return a.bytes == b.bytes; });
  entries_.erase(end, entries_.end());
  // What a token begins with stands before it, and between them only what begins so too.
  int32_t open = -1;
  for (size_t i = 0; i < entries_.size(); ++i) {
    while (open >= 0 && !absl::StartsWith(entries_[i].bytes, entries_[open].bytes)) {
      open = entries_[open].beginning;
    }
    entries_[i].beginning = open;
    open = static_cast<int32_t>(i);
  }
}

std::optional<TokenId> LongestTokens::First(absl::string_view text) const {
  const auto behind =
      std::upper_bound(entries_.begin(), entries_.end(), text,
                       [](absl::string_view a, const Entry& b) { return a < b.bytes; });
  // The last token that is not behind the text begins with the one that is looked for.
  auto index = static_cast<int32_t>(behind - entries_.begin()) - 1;
  const size_t common = index < 0 ? 0 : CommonBeginning(text, entries_[index].bytes);
  while (index >= 0 && entries_[index].bytes.size() > common) index = entries_[index].beginning;
  if (index < 0) return std::nullopt;
  return entries_[index].id;
}

}  // namespace logitchain
