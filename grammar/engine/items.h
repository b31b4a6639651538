#ifndef LOGITCHAIN_GRAMMAR_ENGINE_ITEMS_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_ITEMS_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "logitchain/grammar/engine/lexer.h"
#include "logitchain/grammar/engine/network.h"

namespace logitchain {

// The items of a network together with those of its unordered rules, which are made when they are
// come upon: such an item is the set of members that there were, and how many elements.
class Items {
 public:
  struct Terminal {
    int32_t lexer_state;
    int32_t target;
  };

  // Like Item, and `skips` has items that may come without a byte.
  struct View {
    IndexRange terminals;
    IndexRange calls;
    IndexRange skips;
    bool ends = false;
  };

  // `network` and `lexer` must outlive this.
  Items(const Network& network, Lexer& lexer);
  Items(const Items&) = delete;
  Items& operator=(const Items&) = delete;

  int32_t StartOf(int32_t rule);
  int32_t LeftGroupOf(int32_t rule) const { return network_.rules[rule].left_group; }

  // May add to the edges, so that spans of them end.
  View Get(int32_t item);
  const Terminal& terminal(int32_t index) const { return terminals_[index]; }
  const CallEdge& call(int32_t index) const { return calls_[index]; }
  int32_t skip(int32_t index) const { return skips_[index]; }

  // About how many bytes of memory those that were made take.
  int64_t memory() const { return memory_; }

 private:
  enum class Phase : uint32_t { kElement, kSeparator };

  // A place in an unordered rule.
  struct Place {
    int32_t unordered = Network::kNoUnordered;
    Phase phase = Phase::kElement;
    int32_t count = 0;
    std::vector<uint32_t> used;  // Bit i of word w is member 32·w + i.
  };

  int32_t ItemAt(const Place& place);
  void Expand(int32_t item);
  void AddElements(const UnorderedRule& rule, const Place& place);
  void AddElement(int32_t part, const Place& after);

  const Network& network_;
  std::vector<View> views_;
  std::vector<Terminal> terminals_;
  std::vector<CallEdge> calls_;
  std::vector<int32_t> skips_;
  std::vector<Place> places_;  // Of the items behind the network's.
  std::vector<bool> is_expanded_;
  absl::flat_hash_map<std::vector<uint32_t>, int32_t> item_ids_;
  int64_t memory_ = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_ITEMS_H_
