#include "logitchain/grammar/engine/mask_builder.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/grammar/engine/for_each_byte.h"
#include "logitchain/grammar/engine/packed_tokens.h"
#include "logitchain/grammar/engine/parser.h"
#include "logitchain/grammar/engine/regex_fingerprint.h"
#include "logitchain/grammar/engine/terminal_tokens.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/regex/byte_set.h"
#include "logitchain/grammar/vocab/byte_trie.h"
#include "logitchain/grammar/vocab/trie_walk.h"

namespace logitchain {
namespace {

// From so many exits on, one walk over all tokens is cheaper than one for each exit.
constexpr int64_t kManyExits = 1 << 14;

// A state of the lexer with so few bytes to go on is scanned faster than looked up.
constexpr int kFewBytes = 4;

// What the masks of states may take; beyond that all of them are forgotten.
constexpr int64_t kMaxMasksMemory = int64_t{32} << 20;

std::vector<TokenId> IdsIn(absl::Span<const int32_t> mask) {
  std::vector<TokenId> ids;
  for (size_t i = 0; i < mask.size(); ++i) {
    for (uint32_t word = static_cast<uint32_t>(mask[i]); word != 0; word &= word - 1) {
      ids.push_back(static_cast<TokenId>(32 * i + std::countr_zero(word)));
    }
  }
  return ids;
}

bool HasManyTokens(absl::Span<const int32_t> mask) {
  size_t count = 0;
  for (const int32_t word : mask) {
    count += std::popcount(static_cast<uint32_t>(word));
    if (PackedTokens::AreMany(count, mask.size())) return true;
  }
  return false;
}

}  // namespace

void MaskBuilder::Fill(int32_t state, MaskSpan mask) {
  const auto [known, is_new] = masks_.try_emplace(state, nullptr);
  if (known->second != nullptr) return known->second->CopyTo(mask);
  absl::c_fill(mask, 0);
  Find(state, mask);
  look_ahead_.Prune(state, mask);
  if (!is_new && parser_.status().ok()) Remember(state, mask);
}

void MaskBuilder::Remember(int32_t state, MaskSpan mask) {
  if (masks_memory_ > kMaxMasksMemory) {
    masks_.clear();
    masks_memory_ = 0;
  }
  auto set =
      HasManyTokens(mask)
          ? std::make_unique<const PackedTokens>(std::vector<int32_t>(mask.begin(), mask.end()))
          : std::make_unique<const PackedTokens>(IdsIn(mask), mask.size());
  masks_memory_ += set->memory();
  masks_[state] = std::move(set);
}

void MaskBuilder::Find(int32_t state, MaskSpan mask) {
  if (parser_.accepts(state)) AllowTokens(index_.vocabulary().stop_ids(), mask);
  const absl::Span<const Thread> threads = parser_.threads(state);
  std::vector<int32_t> behind(threads.size());
  int64_t exits = 0;
  for (size_t i = 0; i < threads.size(); ++i) {
    behind[i] = parser_.StateBehind(threads[i]);
    exits += ExitCount(threads[i].lexer_state, behind[i]);
  }
  if (exits > kManyExits) return WalkAll(state, mask);
  for (size_t i = 0; i < threads.size(); ++i) {
    TokensOf(threads[i].lexer_state).inside.AddTo(mask);
    AddExits(threads[i].lexer_state, behind[i], mask);
  }
}

int64_t MaskBuilder::ExitCount(int32_t lexer_state, int32_t behind) {
  if (behind == kDeadState || parser_.live_bytes(behind).empty()) return 0;
  if (!TokensOf(lexer_state).has_all_exits) FindExits(lexer_state);
  const ByteSet live = parser_.live_bytes(behind);
  int64_t count = 0;
  for (const TerminalTokens::Exit& exit : TokensOf(lexer_state).exits) {
    if (live.Contains(exit.byte)) count += exit.end - exit.begin;
  }
  return count;
}

void MaskBuilder::AddExits(int32_t lexer_state, int32_t behind, MaskSpan mask) {
  if (behind == kDeadState) return;
  const TerminalTokens& tokens = TokensOf(lexer_state);
  const ByteTrie& trie = index_.trie();
  const ByteSet live = parser_.live_bytes(behind);
  if ((live & tokens.exit_bytes).empty()) return;
  for (const TerminalTokens::Exit& exit : tokens.exits) {
    if (!live.Contains(exit.byte)) continue;
    const int32_t at = parser_.Next(behind, exit.byte);
    if (at == kDeadState) continue;
    for (uint32_t i = exit.begin; i < exit.end; ++i) {
      const ByteTrie::NodeIndex node = tokens.exit_nodes[i];
      AllowTokens(trie.tokens(node), mask);
      if (trie.has_children(node)) WalkFrom(node, at, mask);
    }
  }
}

void MaskBuilder::WalkFrom(ByteTrie::NodeIndex node, int32_t at, MaskSpan mask) {
  const ByteTrie& trie = index_.trie();
  walk_.Run(
      trie, node + 1, trie.end(node), at,
      [this](int32_t state, uint8_t byte) { return parser_.Next(state, byte); },
      [&](ByteTrie::NodeIndex below, int32_t) {
        AllowTokens(trie.tokens(below), mask);
        return true;
      });
}

void MaskBuilder::WalkAll(int32_t state, MaskSpan mask) {
  const ByteTrie& trie = index_.trie();
  for (const ByteTrie::Tree* tree :
       {&index_.text_tree(), &index_.long_text_tree(), &index_.rest_tree()}) {
    ForEachByte(parser_.live_bytes(state), [&](uint8_t byte) {
      const ByteTrie::NodeIndex child = tree->child[byte];
      if (child == tree->end) return;
      const int32_t at = parser_.Next(state, byte);
      if (at == kDeadState) return;
      AllowTokens(trie.tokens(child), mask);
      WalkFrom(child, at, mask);
    });
  }
}

const TerminalTokens& MaskBuilder::TokensOf(int32_t lexer_state) {
  if (tokens_.size() <= static_cast<size_t>(lexer_state)) tokens_.resize(lexer_state + 1);
  if (tokens_[lexer_state] == nullptr) {
    Tokens found = FindTokens(lexer_state);
    tokens_[lexer_state] = std::move(found);
  }
  return *tokens_[lexer_state];
}

int32_t MaskBuilder::Representative(int32_t lexer_state) {
  Lexer& lexer = parser_.lexer();
  const RegexId regex = lexer.RegexOf(lexer_state);
  const RegexId without = large_counts_.Without(regex);
  return without == regex || !lexer.status().ok() ? lexer_state : lexer.StateOf(without);
}

MaskBuilder::Tokens MaskBuilder::FindTokens(int32_t lexer_state) {
  const int32_t representative = Representative(lexer_state);
  if (representative != lexer_state) {
    TokensOf(representative);
    return tokens_[representative];
  }
  Lexer& lexer = parser_.lexer();
  const bool is_shared = lexer.live_bytes(lexer_state).size() > kFewBytes;
  if (!is_shared) {
    return std::make_shared<const TerminalTokens>(scan_.Run(lexer_state, /*wants_exits=*/false));
  }
  Tokens known = index_.Find(lexer.Fingerprint(lexer_state));
  if (known != nullptr) return known;
  const auto found = std::make_shared<const TerminalTokens>(Scan(lexer_state));
  if (lexer.status().ok()) index_.Insert(lexer.Fingerprint(lexer_state), found);
  return found;
}

TerminalTokens MaskBuilder::Scan(int32_t lexer_state) {
  const int32_t base = scan_.LikelyBase(lexer_state);
  if (base != kDeadState && TokensOf(base).has_all_exits) {
    return scan_.RunFrom(lexer_state, base, TokensOf(base));
  }
  return scan_.Run(lexer_state, /*wants_exits=*/false);
}

void MaskBuilder::FindExits(int32_t lexer_state) {
  Lexer& lexer = parser_.lexer();
  const int32_t representative = Representative(lexer_state);
  const auto found =
      std::make_shared<const TerminalTokens>(scan_.Run(representative, /*wants_exits=*/true));
  tokens_[lexer_state] = found;
  tokens_[representative] = found;
  if (lexer.status().ok()) index_.Insert(lexer.Fingerprint(representative), found);
}

}  // namespace logitchain
