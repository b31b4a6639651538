#ifndef LOGITCHAIN_CORE_DECODE_STOP_STRING_MATCHER_H_
#define LOGITCHAIN_CORE_DECODE_STOP_STRING_MATCHER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace logitchain {

// The most bytes that all stop strings together may have.
inline constexpr size_t kMaxStopStringBytes = size_t{1} << 16;

// A stop string that ends with the byte that was read last.
struct StopMatch {
  int index;      // Among the stop strings.
  size_t length;  // In bytes.

  friend bool operator==(const StopMatch&, const StopMatch&) = default;
};

// Finds stop strings in a stream of bytes as it comes in, one byte after the other; tokens and
// characters play no part.
//
// An Aho-Corasick automaton (Aho and Corasick 1975): a byte costs amortised O(1) and never more
// than O(longest stop string), however long the stream is; memory is O(bytes of all stop strings).
class StopStringMatcher {
 public:
  // Of equal stop strings the first one matches. No stop strings: nothing does. InvalidArgument if
  // one is empty, which would stop everywhere, or if they exceed kMaxStopStringBytes.
  static absl::StatusOr<StopStringMatcher> Create(absl::Span<const std::string> stop_strings);

  // Reads the next byte. Of several stop strings that end with it, the longest is returned, which
  // is the one that starts first. Reading may go on behind a match.
  std::optional<StopMatch> Read(char byte);

  // Size of the longest tail of the stream that begins a stop string: the bytes that may yet turn
  // out to belong to one.
  size_t pending() const { return nodes_[node_].depth; }

 private:
  static constexpr int32_t kRoot = 0;
  static constexpr int kNoMatch = -1;

  // A node is a string that begins a stop string. The stream's longest tail that has a node is
  // where the matcher stands.
  struct Node {
    int32_t parent;
    char byte;  // The last of its string.
    size_t depth;
    int32_t suffix = kRoot;  // The node of its longest proper suffix that has one.
    StopMatch match = {kNoMatch, 0};
  };

  StopStringMatcher() : nodes_{{kRoot, 0, 0}} {}

  void Insert(const std::string& stop_string, int index);
  int32_t ChildOf(int32_t node, char byte);
  // Sets suffixes, and the matches that nodes owe to them.
  void LinkSuffixes();
  // Where reading `byte` at `node` leads.
  int32_t Next(int32_t node, char byte) const;

  std::vector<Node> nodes_;
  absl::flat_hash_map<std::pair<int32_t, char>, int32_t> children_;
  int32_t node_ = kRoot;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DECODE_STOP_STRING_MATCHER_H_
