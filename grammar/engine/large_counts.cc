#include "logitchain/grammar/engine/large_counts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

using Kind = RegexArena::Kind;

// As a length: it is not known.
constexpr int64_t kUnknown = int64_t{1} << 40;

}  // namespace

RegexId LargeCounts::Without(RegexId id) {
  const auto known = without_.find(id);
  if (known != without_.end()) return known->second;
  const RegexId without = Compute(id);
  without_[id] = without;
  return without;
}

RegexId LargeCounts::Compute(RegexId id) {
  switch (arena_.kind(id)) {
    case Kind::kRepeat:
      if (arena_.max(id) == kUnbounded || arena_.max(id) < longest_text_) return id;
      return arena_.Repeat(arena_.operand(id), arena_.min(id), kUnbounded);
    case Kind::kConcat:
      return WithoutInConcat(id);
    case Kind::kEither:
      return WithoutInEither(id);
    case Kind::kBoth:
      return WithoutInBoth(id);
    default:
      return id;
  }
}

RegexId LargeCounts::WithoutInConcat(RegexId id) {
  const RegexId head = arena_.operand(id);
  const RegexId tail = arena_.tail(id);
  const RegexId new_head = Without(head);
  const RegexId new_tail = arena_.MatchesEmpty(head) ? Without(tail) : tail;
  return new_head == head && new_tail == tail ? id : arena_.Concat(new_head, new_tail);
}

RegexId LargeCounts::WithoutInEither(RegexId id) {
  const std::vector<RegexId> parts(arena_.operands(id).begin(), arena_.operands(id).end());
  std::vector<RegexId> new_parts;
  for (const RegexId part : parts) new_parts.push_back(Without(part));
  return new_parts == parts ? id : arena_.Either(new_parts);
}

// Texts have some rest with which they are short enough, where the other operand is never far from
// an end.
RegexId LargeCounts::WithoutInBoth(RegexId id) {
  if (arena_.operands(id).size() != 2) return id;
  RegexId length = arena_.operands(id)[0];
  RegexId other = arena_.operands(id)[1];
  if (!IsLargestLength(length)) std::swap(length, other);
  if (!IsLargestLength(length) || !arena_.IsText(other)) return id;
  return arena_.max(length) < longest_text_ + LengthsOf(other).rest ? id : Without(other);
}

bool LargeCounts::IsLargestLength(RegexId id) {
  return arena_.kind(id) == Kind::kRepeat && arena_.min(id) == 0 && arena_.max(id) < kUnbounded &&
         arena_.Repeat(arena_.operand(id), 0, kUnbounded) == arena_.texts();
}

LargeCounts::Lengths LargeCounts::LengthsOf(RegexId id) {
  const auto known = lengths_.find(id);
  if (known != lengths_.end()) return known->second;
  const Lengths lengths = ComputeLengths(id);
  lengths_[id] = lengths;
  return lengths;
}

LargeCounts::Lengths LargeCounts::ComputeLengths(RegexId id) {
  switch (arena_.kind(id)) {
    case Kind::kBytes:
      return {.shortest = 1, .rest = 1};
    case Kind::kEmptyString:
      return {.shortest = 0, .rest = 0};
    case Kind::kConcat:
      return LengthsOfConcat(id);
    case Kind::kEither: {
      Lengths all = {.shortest = kUnknown, .rest = 0};
      for (const RegexId operand : arena_.operands(id)) {
        const Lengths lengths = LengthsOf(operand);
        all.shortest = std::min(all.shortest, lengths.shortest);
        all.rest = std::max(all.rest, lengths.rest);
      }
      return all;
    }
    case Kind::kRepeat: {
      const Lengths once = LengthsOf(arena_.operand(id));
      const int64_t shortest = std::min(kUnknown, arena_.min(id) * once.shortest);
      return {.shortest = shortest, .rest = std::min(kUnknown, once.rest + shortest)};
    }
    case Kind::kBoth:
    case Kind::kNot:
    case Kind::kMultiples:
      break;
  }
  return {.shortest = kUnknown, .rest = kUnknown};
}

LargeCounts::Lengths LargeCounts::LengthsOfConcat(RegexId id) {
  std::vector<Lengths> heads;
  for (; arena_.kind(id) == Kind::kConcat; id = arena_.tail(id)) {
    heads.push_back(LengthsOf(arena_.operand(id)));
  }
  Lengths all = LengthsOf(id);
  for (size_t i = heads.size(); i > 0; --i) {
    all.rest = std::min(kUnknown, std::max(all.rest, heads[i - 1].rest + all.shortest));
    all.shortest = std::min(kUnknown, all.shortest + heads[i - 1].shortest);
  }
  return all;
}

}  // namespace logitchain
