#include "logitchain/grammar/engine/terminal_scan.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/grammar/engine/for_each_byte.h"
#include "logitchain/grammar/engine/packed_tokens.h"
#include "logitchain/grammar/engine/terminal_tokens.h"
#include "logitchain/grammar/engine/text_steps.h"
#include "logitchain/grammar/vocab/byte_classes.h"
#include "logitchain/grammar/vocab/byte_trie.h"
#include "logitchain/grammar/vocab/trie_walk.h"

namespace logitchain {

TerminalTokens TerminalScan::Run(int32_t state, bool wants_exits) {
  ids_.clear();
  mask_.clear();
  ranges_.clear();
  exits_.clear();
  misses_exits_ = false;
  if (wants_exits || !TakeKnownTexts(state)) {
    Walk(index_.text_tree(), state, /*takes_loops=*/!wants_exits);
    Walk(index_.long_text_tree(), state, /*takes_loops=*/false);
    AllowRanges();
  }
  Walk(index_.rest_tree(), state, /*takes_loops=*/false);
  return Collect(/*has_all_exits=*/!misses_exits_);
}

bool TerminalScan::TakeKnownTexts(int32_t state) {
  const TextSteps::Loop loop = text_steps_.LoopAt(state);
  const std::optional<TextSteps::Run> run = loop == TextSteps::Loop::kNone
                                                ? text_steps_.RunAt(state, TokenIndex::kMaxCounted)
                                                : std::nullopt;
  if (loop == TextSteps::Loop::kNone && !run) return false;
  const int length = run ? run->length : TokenIndex::kMaxCounted;
  if (length == 0) return true;
  const absl::Span<const int32_t> texts = index_.text_mask(length);
  mask_.assign(texts.begin(), texts.end());
  misses_exits_ = run ? run->accepts : loop == TextSteps::Loop::kAccepting;
  if (length == TokenIndex::kMaxCounted) {
    Walk(index_.long_text_tree(), state, /*takes_loops=*/false);
  }
  return true;
}

void TerminalScan::Walk(const ByteTrie::Tree& tree, int32_t state, bool takes_loops) {
  const ByteTrie& trie = index_.trie();
  // Outside of the text trees, bytes that are no ASCII need not make characters.
  const bool is_text = &tree != &index_.rest_tree();
  const ByteClasses classes = is_text ? kAllByteClasses : kAllByteClasses & ~kNoAscii;
  const auto next = [this](int32_t from, uint8_t byte) { return lexer_.Next(from, byte); };
  const auto visit = [&](ByteTrie::NodeIndex node, int32_t at) {
    if (takes_loops) {
      const TextSteps::Loop loop = text_steps_.LoopAt(at);
      if (loop != TextSteps::Loop::kNone) {
        ranges_.push_back({node, trie.end(node)});
        // The node itself is where the loop begins; the terminal may have ended here.
        misses_exits_ = misses_exits_ || loop == TextSteps::Loop::kAccepting;
        if (lexer_.accepts(at)) misses_exits_ = true;
        return false;
      }
    }
    // The terminal stays in this state over all that is below, and does not end.
    const ByteClasses below = trie.classes_below(node);
    if (below != 0 && (below & ~(classes & text_steps_.SilentClassesAt(at))) == 0) {
      TakeSubtree(tree, node);
      return false;
    }
    for (const TokenId id : trie.tokens(node)) ids_.push_back(id);
    if (lexer_.accepts(at)) AddExits(node);
    return true;
  };
  ForEachByte(lexer_.live_bytes(state), [&](uint8_t byte) {
    const ByteTrie::NodeIndex child = tree.child[byte];
    if (child != tree.end) walk_.Run(trie, child, trie.end(child), state, next, visit);
  });
}

void TerminalScan::TakeSubtree(const ByteTrie::Tree& tree, ByteTrie::NodeIndex node) {
  const ByteTrie::NodeIndex end = index_.trie().end(node);
  if (&tree == &index_.text_tree()) {
    ranges_.push_back({node, end});
    return;
  }
  const absl::Span<const TokenId> tokens = index_.trie().tokens(node, end);
  ids_.insert(ids_.end(), tokens.begin(), tokens.end());
}

void TerminalScan::AddExits(ByteTrie::NodeIndex node) {
  const ByteTrie& trie = index_.trie();
  const ByteTrie::NodeIndex end = trie.end(node);
  for (ByteTrie::NodeIndex child = node + 1; child < end; child = trie.end(child)) {
    exits_.emplace_back(trie.byte(child), child);
  }
}

// Takes the smaller number of tokens one by one: those in the ranges, or those between them.
void TerminalScan::AllowRanges() {
  if (ranges_.empty()) return;
  const ByteTrie& trie = index_.trie();
  const ByteTrie::Tree& tree = index_.text_tree();
  size_t count = 0;
  for (const Range& range : ranges_) count += trie.tokens(range.begin, range.end).size();
  if (2 * count < trie.tokens(tree.begin, tree.end).size()) {
    for (const Range& range : ranges_) {
      const absl::Span<const TokenId> tokens = trie.tokens(range.begin, range.end);
      ids_.insert(ids_.end(), tokens.begin(), tokens.end());
    }
    return;
  }
  const absl::Span<const int32_t> texts = index_.text_mask(TokenIndex::kMaxCounted);
  mask_.assign(texts.begin(), texts.end());
  BanGaps(tree.begin, tree.end);
}

void TerminalScan::BanGaps(ByteTrie::NodeIndex begin, ByteTrie::NodeIndex end) {
  ranges_.push_back({end, end});
  for (const Range& range : ranges_) {
    for (const TokenId id : index_.trie().tokens(begin, range.begin)) {
      BanToken(id, absl::MakeSpan(mask_));
    }
    begin = range.end;
  }
  ranges_.pop_back();
}

int32_t TerminalScan::LikelyBase(int32_t state) {
  const std::array<int32_t, 256>& row = lexer_.Row(state);
  absl::flat_hash_map<int32_t, int> counts;
  for (int byte = ' '; byte <= '~'; ++byte) ++counts[row[byte]];
  constexpr int kMost = ('~' - ' ') / 2;
  for (const auto& [target, count] : counts) {
    if (count <= kMost || target == kDeadState || target == state) continue;
    const std::array<int32_t, 256>& next = lexer_.Row(target);
    const int stays = std::count(next.begin() + ' ', next.begin() + '~' + 1, target);
    return stays > kMost ? target : kDeadState;
  }
  return kDeadState;
}

TerminalTokens TerminalScan::RunFrom(int32_t state, int32_t base_state,
                                     const TerminalTokens& base) {
  ids_.clear();
  mask_.assign(index_.mask_words(), 0);
  ranges_.clear();
  exits_.clear();
  base.inside.CopyTo(absl::MakeSpan(mask_));
  const ByteTrie::Tree* const trees[] = {&index_.text_tree(), &index_.long_text_tree(),
                                         &index_.rest_tree()};
  for (const ByteTrie::Tree* tree : trees) WalkWithBase(*tree, state, base_state);
  BanGaps(trees[0]->begin, trees[2]->end);
  AddExitsInRanges(base);
  return Collect(/*has_all_exits=*/true);
}

void TerminalScan::WalkWithBase(const ByteTrie::Tree& tree, int32_t state, int32_t base_state) {
  const ByteTrie& trie = index_.trie();
  const auto next = [this](TrieWalk::State from, uint8_t byte) -> TrieWalk::State {
    const int32_t at = lexer_.Next(static_cast<int32_t>(from >> 32), byte);
    if (at == kDeadState) return kDeadState;
    const auto base_at = static_cast<int32_t>(from);
    return Pair(at, base_at == kDeadState ? kDeadState : lexer_.Next(base_at, byte));
  };
  const auto visit = [&](ByteTrie::NodeIndex node, TrieWalk::State both) {
    const auto at = static_cast<int32_t>(both >> 32);
    if (at == static_cast<int32_t>(both)) {
      ranges_.push_back({node, trie.end(node)});
      return false;
    }
    for (const TokenId id : trie.tokens(node)) ids_.push_back(id);
    if (lexer_.accepts(at)) AddExits(node);
    return true;
  };
  ForEachByte(lexer_.live_bytes(state), [&](uint8_t byte) {
    const ByteTrie::NodeIndex child = tree.child[byte];
    if (child == tree.end) return;
    walk_.Run(trie, child, trie.end(child), Pair(state, base_state), next, visit);
  });
}

void TerminalScan::AddExitsInRanges(const TerminalTokens& base) {
  for (const TerminalTokens::Exit& exit : base.exits) {
    for (uint32_t i = exit.begin; i < exit.end; ++i) {
      const ByteTrie::NodeIndex node = base.exit_nodes[i];
      const auto range = absl::c_partition_point(
          ranges_, [node](const Range& other) { return other.end <= node; });
      if (range != ranges_.end() && node > range->begin) exits_.emplace_back(exit.byte, node);
    }
  }
}

TerminalTokens TerminalScan::Collect(bool has_all_exits) {
  TerminalTokens found = {.has_all_exits = has_all_exits};
  if (mask_.empty()) {
    found.inside = PackedTokens(ids_, index_.mask_words());
  } else {
    AllowTokens(ids_, absl::MakeSpan(mask_));
    found.inside = PackedTokens(mask_);
  }
  if (!has_all_exits) return found;
  std::array<uint32_t, 257> begin = {};
  for (const auto& [byte, node] : exits_) ++begin[byte + 1];
  for (size_t byte = 0; byte < 256; ++byte) {
    begin[byte + 1] += begin[byte];
    if (begin[byte + 1] == begin[byte]) continue;
    found.exits.push_back(
        {.byte = static_cast<uint8_t>(byte), .begin = begin[byte], .end = begin[byte + 1]});
    found.exit_bytes.Insert(static_cast<uint8_t>(byte));
  }
  found.exit_nodes.resize(exits_.size());
  for (const auto& [byte, node] : exits_) found.exit_nodes[begin[byte]++] = node;
  return found;
}

}  // namespace logitchain
