#ifndef LOGITCHAIN_GRAMMAR_ENGINE_LARGE_COUNTS_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_LARGE_COUNTS_H_

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// Drops largest counts that texts of some length cannot reach: r{m,n} becomes r{m,}. Expressions
// that differ only in how often something has come so far become one that way.
class LargeCounts {
 public:
  // `arena` must outlive this.
  LargeCounts(int32_t longest_text, RegexArena& arena)
      : longest_text_(longest_text), arena_(arena) {}

  // An expression of which texts of at most longest_text bytes are matched, and begun, exactly as
  // they are of this one. Counts behind something that must come first are left alone.
  RegexId Without(RegexId id);

 private:
  // Bounds in bytes, from above.
  struct Lengths {
    int64_t shortest;  // Of the shortest text.
    int64_t rest;      // Of the shortest rest of any text that was begun.
  };

  RegexId Compute(RegexId id);
  RegexId WithoutInConcat(RegexId id);
  RegexId WithoutInEither(RegexId id);
  RegexId WithoutInBoth(RegexId id);
  // Whether it says no more than how many characters texts may have at most.
  bool IsLargestLength(RegexId id);

  Lengths LengthsOf(RegexId id);
  Lengths ComputeLengths(RegexId id);
  Lengths LengthsOfConcat(RegexId id);

  const int32_t longest_text_;
  RegexArena& arena_;
  absl::flat_hash_map<RegexId, RegexId> without_;
  absl::flat_hash_map<RegexId, Lengths> lengths_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_LARGE_COUNTS_H_
