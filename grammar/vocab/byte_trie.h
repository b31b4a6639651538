#ifndef LOGITCHAIN_GRAMMAR_VOCAB_BYTE_TRIE_H_
#define LOGITCHAIN_GRAMMAR_VOCAB_BYTE_TRIE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/grammar/vocab/byte_classes.h"

namespace logitchain {

// The bytes of many tokens as trees of bytes, in flat arrays in depth-first order: what follows a
// node up to its `end` is its subtree, which a walk skips by going on at `end`. The tokens of a
// subtree stand together. 16 bytes per node.
class ByteTrie {
 public:
  using NodeIndex = uint32_t;

  struct Entry {
    absl::string_view bytes;  // Not empty.
    TokenId id;
  };

  // A tree. The root, which stands for the empty text, is no node.
  struct Tree {
    NodeIndex begin = 0;
    NodeIndex end = 0;
    // The child of the root with this byte; `end` where there is none.
    std::array<NodeIndex, 256> child;
  };

  ByteTrie() { nodes_.push_back({}); }

  // Adds a tree of these tokens, in any order; equal bytes are fine. All together there may be at
  // most 2^32 − 2 nodes.
  Tree Add(std::vector<Entry> entries);

  uint8_t byte(NodeIndex node) const { return nodes_[node].byte; }
  NodeIndex end(NodeIndex node) const { return nodes_[node].end; }
  bool has_children(NodeIndex node) const { return nodes_[node].end > node + 1; }

  // Those of the bytes below it.
  ByteClasses classes_below(NodeIndex node) const { return nodes_[node].classes_below; }

  // The tokens that end in the node.
  absl::Span<const TokenId> tokens(NodeIndex node) const { return tokens(node, node + 1); }

  // The tokens that end in the nodes from `begin` up to `end`.
  absl::Span<const TokenId> tokens(NodeIndex begin, NodeIndex end) const {
    const uint32_t first = nodes_[begin].first_token;
    return absl::MakeConstSpan(tokens_).subspan(first, nodes_[end].first_token - first);
  }

  size_t size() const { return nodes_.size() - 1; }

 private:
  struct Node {
    NodeIndex end = 0;
    uint32_t first_token = 0;
    ByteClasses classes_below = 0;
    uint8_t byte = 0;
  };

  std::vector<Node> nodes_;  // The last one only says where the tokens end.
  std::vector<TokenId> tokens_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_VOCAB_BYTE_TRIE_H_
