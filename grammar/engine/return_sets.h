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

  // The ids of these sets, each sorted and without repetition: the id given and the following.
  int32_t Intern(absl::Span<const std::vector<Return>> group);

  // What is in any of these sets.
  int32_t Union(absl::Span<const int32_t> sets);

  // About how many bytes of memory they take.
  int64_t memory() const { return memory_; }

 private:
  struct Set {
    size_t begin;
    size_t size;
  };

  std::vector<Return> returns_;
  std::vector<Set> sets_;
  absl::flat_hash_map<std::vector<int32_t>, int32_t> ids_;  // Of groups, by what is in them.
  std::vector<int32_t> key_;
  int64_t memory_ = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_RETURN_SETS_H_
