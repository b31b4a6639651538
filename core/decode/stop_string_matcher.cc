#include "logitchain/core/decode/stop_string_matcher.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"

namespace logitchain {

absl::StatusOr<StopStringMatcher> StopStringMatcher::Create(
    absl::Span<const std::string> stop_strings) {
  size_t bytes = 0;
  StopStringMatcher matcher;
  for (size_t i = 0; i < stop_strings.size(); ++i) {
    if (stop_strings[i].empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("stop_strings[", i, "] is empty; it would stop everywhere"));
    }
    bytes += stop_strings[i].size();
    if (bytes > kMaxStopStringBytes) {
      return absl::InvalidArgumentError(
          absl::StrCat("stop_strings have more than ", kMaxStopStringBytes, " bytes together"));
    }
    matcher.Insert(stop_strings[i], static_cast<int>(i));
  }
  matcher.LinkSuffixes();
  return matcher;
}

std::optional<StopMatch> StopStringMatcher::Read(char byte) {
  node_ = Next(node_, byte);
  const StopMatch& match = nodes_[node_].match;
  return match.index == kNoMatch ? std::nullopt : std::optional(match);
}

void StopStringMatcher::Insert(const std::string& stop_string, int index) {
  int32_t node = kRoot;
  for (const char byte : stop_string) node = ChildOf(node, byte);
  if (nodes_[node].match.index == kNoMatch) nodes_[node].match = {index, stop_string.size()};
}

int32_t StopStringMatcher::ChildOf(int32_t node, char byte) {
  const auto [child, is_new] =
      children_.try_emplace({node, byte}, static_cast<int32_t>(nodes_.size()));
  if (is_new) nodes_.push_back({.parent = node, .byte = byte, .depth = nodes_[node].depth + 1});
  return child->second;
}

void StopStringMatcher::LinkSuffixes() {
  // A suffix is shorter, so its own links must be there first.
  std::vector<int32_t> by_depth(nodes_.size());
  std::iota(by_depth.begin(), by_depth.end(), 0);
  absl::c_sort(by_depth,
               [this](int32_t a, int32_t b) { return nodes_[a].depth < nodes_[b].depth; });
  for (const int32_t id : by_depth) {
    Node& node = nodes_[id];
    if (node.depth > 1) node.suffix = Next(nodes_[node.parent].suffix, node.byte);
    if (node.match.index == kNoMatch) node.match = nodes_[node.suffix].match;
  }
}

int32_t StopStringMatcher::Next(int32_t node, char byte) const {
  for (;; node = nodes_[node].suffix) {
    const auto child = children_.find({node, byte});
    if (child != children_.end()) return child->second;
    if (node == kRoot) return kRoot;
  }
}

}  // namespace logitchain
