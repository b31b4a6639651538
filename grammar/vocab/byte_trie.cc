#include "logitchain/grammar/vocab/byte_trie.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "logitchain/grammar/vocab/byte_classes.h"

namespace logitchain {
namespace {

// The first eight bytes as a number that sorts like them; what is missing counts as 0.
uint64_t SortKey(absl::string_view bytes) {
  uint64_t key = 0;
  for (size_t i = 0; i < 8; ++i) {
    key = key << 8 | (i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : 0);
  }
  return key;
}

void SortByBytes(std::vector<ByteTrie::Entry>& entries) {
  std::vector<std::pair<uint64_t, ByteTrie::Entry>> keyed;
  keyed.reserve(entries.size());
  for (const ByteTrie::Entry& entry : entries) keyed.emplace_back(SortKey(entry.bytes), entry);
  std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    if (a.second.bytes != b.second.bytes) return a.second.bytes < b.second.bytes;
    return a.second.id < b.second.id;
  });
  for (size_t i = 0; i < entries.size(); ++i) entries[i] = keyed[i].second;
}

size_t CommonPrefix(absl::string_view a, absl::string_view b) {
  const size_t limit = std::min(a.size(), b.size());
  size_t size = 0;
  while (size < limit && a[size] == b[size]) ++size;
  return size;
}

}  // namespace

ByteTrie::Tree ByteTrie::Add(std::vector<Entry> entries) {
  SortByBytes(entries);
  const auto next_node = [this] { return static_cast<NodeIndex>(nodes_.size()); };
  nodes_.pop_back();
  Tree tree = {.begin = next_node()};
  std::vector<NodeIndex> path;  // From the root's child to the last node.
  const auto close_to = [&](size_t depth) {
    for (; path.size() > depth; path.pop_back()) {
      Node& node = nodes_[path.back()];
      node.end = next_node();
      if (path.size() == 1) continue;
      nodes_[path[path.size() - 2]].classes_below |= kClassOfByte[node.byte] | node.classes_below;
    }
  };
  absl::string_view last;
  for (const Entry& entry : entries) {
    const size_t shared = CommonPrefix(last, entry.bytes);
    close_to(shared);
    for (const char byte : entry.bytes.substr(shared)) {
      path.push_back(next_node());
      nodes_.push_back({.first_token = static_cast<uint32_t>(tokens_.size()),
                        .byte = static_cast<uint8_t>(byte)});
    }
    tokens_.push_back(entry.id);
    last = entry.bytes;
  }
  close_to(0);
  tree.end = next_node();
  nodes_.push_back({.first_token = static_cast<uint32_t>(tokens_.size())});
  tree.child.fill(tree.end);
  for (NodeIndex node = tree.begin; node < tree.end; node = end(node)) {
    tree.child[byte(node)] = node;
  }
  return tree;
}

}  // namespace logitchain
