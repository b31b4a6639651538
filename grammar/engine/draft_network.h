#ifndef LOGITCHAIN_GRAMMAR_ENGINE_DRAFT_NETWORK_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_DRAFT_NETWORK_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logitchain/grammar/engine/draft_fixpoint.h"
#include "logitchain/grammar/engine/draft_item.h"
#include "logitchain/grammar/engine/network.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// A network in the making.
class DraftNetwork {
 public:
  explicit DraftNetwork(const RegexArena& regexes) : network_(regexes) {}

  RegexArena& regexes() { return network_.regexes; }

  // False once it is too large; Finish is then an error, and what was to be added may be left out.
  bool has_room() const { return size_ <= kMaxSize; }

  // A rule with an item to start in.
  int32_t AddRule();
  int32_t StartOf(int32_t rule) const { return network_.rules[rule].start; }
  void MakeUnordered(int32_t rule, UnorderedRule unordered);

  int32_t AddItem();
  // The rule may end at the item.
  void MarkEnd(int32_t item) { items_[item].ends = true; }
  void AddTerminal(int32_t from, RegexId regex, int32_t to);
  void AddCall(int32_t from, int32_t rule, int32_t to);
  // `to` may come without a byte.
  void AddSkip(int32_t from, int32_t to);

  absl::StatusOr<Network> Finish(int32_t start) &&;

 private:
  // Items and edges.
  static constexpr int64_t kMaxSize = 1 << 22;

  absl::Status DropFutileParts(int32_t start);
  // Writes the edges of all that the start rule may come to.
  void Flatten(int32_t start);
  void FlattenItem(int32_t item);
  void MarkTails();
  void OrderRules();

  Network network_;
  std::vector<DraftItem> items_;
  std::vector<int32_t> reached_from_;  // By item: which one was flattened when it was last met.
  int64_t size_ = 0;
  Completing completing_;  // With some text.
  Completing skippable_;   // With the empty text.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_DRAFT_NETWORK_H_
