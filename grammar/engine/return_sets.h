#ifndef LOGITCHAIN_GRAMMAR_ENGINE_RETURN_SETS_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_RETURN_SETS_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"

namespace logitchain {

// Where a parse goes on once a rule has ended: at an item of the rule that called it, whose own
// returns are `parent`.
struct Return {
  int32_t item;
  int32_t parent;

  friend auto operator<=>(const Return&, const Return&) = default;
};

// The stacks of a parser, hash-consed and shared: a set has all the ways on from a rule's end, so
// stacks that differ further down are one, and equal stacks have equal ids. Sets may contain
// themselves, as left recursion needs.
//
// Of returns to the same item one is made, to the union of their parents. So sets are as those of a
// deterministic automaton, and where an ambiguous grammar adds to a text another reading each time,
// the sets do not grow with it.
class ReturnSets {
 public:
  // The bottom of all stacks: the start rule's end is the end of the text.
  static constexpr int32_t kBottom = 0;
  // The item in kBottom's only return.
  static constexpr int32_t kEndOfText = -1;

  // While sets of one group are built: the group's k-th one, as a parent.
  static constexpr int32_t InGroup(int32_t k) { return -1 - k; }

  ReturnSets();

  absl::Span<const Return> of(int32_t set) const {
    return absl::MakeConstSpan(returns_).subspan(sets_[set].begin, sets_[set].size);
  }

  // Finds the ids of these sets, each sorted and without repetition.
  void Intern(absl::Span<const std::vector<Return>> group, absl::Span<int32_t> ids);

  // What is in any of these sets, which may repeat.
  int32_t Union(std::vector<int32_t> sets);

  // About how many bytes of memory they take.
  int64_t memory() const { return memory_; }

 private:
  class Merger;

  struct Set {
    size_t begin;
    size_t size;
  };

  // The id of the first of these sets, which all lead to each other, stand in the order in which
  // the first leads to them, and have no two returns to one item.
  int32_t InternComponent(absl::Span<const std::vector<Return>> component);
  // The id of the first of these sets, in which several returns to an item remain; the others'
  // follow.
  int32_t InternUnmerged(absl::Span<const std::vector<Return>> group);
  // The same, where they are new.
  int32_t Append(absl::Span<const std::vector<Return>> group);
  void AddKey(const std::vector<int32_t>& key, int32_t id);
  void AddUnion(const std::vector<int32_t>& sets, int32_t id);

  std::vector<Return> returns_;
  std::vector<Set> sets_;
  // Of the first set of a group, by what is in the group.
  absl::flat_hash_map<std::vector<int32_t>, int32_t> ids_;
  absl::flat_hash_map<std::vector<int32_t>, int32_t> unions_;
  std::vector<int32_t> key_;  // Scratch.
  int64_t memory_ = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_RETURN_SETS_H_
