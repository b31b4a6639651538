#include "logitchain/grammar/engine/terminal_scan.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/grammar/engine/for_each_byte.h"
#include "logitchain/grammar/engine/packed_tokens.h"
#include "logitchain/grammar/engine/terminal_tokens.h"
#include "logitchain/grammar/engine/text_steps.h"
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
    const absl::Span<const TokenId> tokens = trie.tokens(node);
    ids_.insert(ids_.end(), tokens.begin(), tokens.end());
    if (lexer_.accepts(at)) AddExits(node);
    return true;
  };
  ForEachByte(lexer_.live_bytes(state), [&](uint8_t byte) {
    const ByteTrie::NodeIndex child = tree.child[byte];
    if (child != tree.end) walk_.Run(trie, child, trie.end(child), state, next, visit);
  });
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
  ByteTrie::NodeIndex gap = tree.begin;
  ranges_.push_back({tree.end, tree.end});
  for (const Range& range : ranges_) {
    for (const TokenId id : trie.tokens(gap, range.begin)) BanToken(id, absl::MakeSpan(mask_));
    gap = range.end;
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
