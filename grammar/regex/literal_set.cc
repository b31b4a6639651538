#include "logitchain/grammar/regex/literal_set.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "logitchain/grammar/regex/byte_set.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

using Sequence = std::vector<RegexId>;

size_t CommonPrefix(const Sequence& a, const Sequence& b) {
  return std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
}

// What follows the first `depth` expressions, which all share. The sequences ascend and differ.
RegexId Tails(absl::Span<const Sequence> sequences, size_t depth, RegexArena& arena) {
  const size_t shared = CommonPrefix(sequences.front(), sequences.back());
  const RegexId prefix =
      arena.Concat(absl::MakeConstSpan(sequences.front()).subspan(depth, shared - depth));
  std::vector<RegexId> branches;
  if (sequences.front().size() == shared) {
    branches.push_back(RegexArena::kEmptyString);
    sequences.remove_prefix(1);
  }
  while (!sequences.empty()) {
    const RegexId next = sequences.front()[shared];
    const size_t count =
        absl::c_find_if(sequences,
                        [=](const Sequence& sequence) { return sequence[shared] != next; }) -
        sequences.begin();
    branches.push_back(Tails(sequences.first(count), shared, arena));
    sequences.remove_prefix(count);
  }
  return arena.Concat(prefix, arena.Either(branches));
}

}  // namespace

RegexId LiteralSet(const std::vector<std::string>& texts, RegexArena& arena) {
  std::vector<Sequence> sequences;
  for (const std::string& text : texts) {
    Sequence& sequence = sequences.emplace_back();
    for (const char byte : text) {
      sequence.push_back(arena.Bytes(ByteSet::Of(static_cast<uint8_t>(byte))));
    }
  }
  return SequenceSet(std::move(sequences), arena);
}

RegexId SequenceSet(std::vector<Sequence> sequences, RegexArena& arena) {
  absl::c_sort(sequences);
  sequences.erase(std::unique(sequences.begin(), sequences.end()), sequences.end());
  return sequences.empty() ? RegexArena::kNothing : Tails(sequences, 0, arena);
}

}  // namespace logitchain
