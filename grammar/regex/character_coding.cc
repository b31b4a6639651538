#include "logitchain/grammar/regex/character_coding.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "logitchain/grammar/regex/byte_set.h"
#include "logitchain/grammar/regex/code_point_set.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

using Ranges = std::vector<CodePointRange>;

// The parts of the ranges within `bounds`.
Ranges Clip(absl::Span<const CodePointRange> ranges, const CodePointRange& bounds) {
  Ranges clipped;
  for (const CodePointRange& range : ranges) {
    const CodePointRange part = {std::max(range.first, bounds.first),
                                 std::min(range.last, bounds.last)};
    if (part.first <= part.last) clipped.push_back(part);
  }
  return clipped;
}

// A union of a byte and what follows it, with the bytes that have the same before them in one set.
class Branches {
 public:
  void Add(const ByteSet& heads, RegexId tail) {
    if (tail != RegexArena::kNothing) heads_[tail] |= heads;
  }

  RegexId Build(RegexArena& arena) const {
    std::vector<RegexId> branches;
    for (const auto& [tail, heads] : heads_) {
      branches.push_back(arena.Concat(arena.Bytes(heads), tail));
    }
    return arena.Either(branches);
  }

 private:
  std::map<RegexId, ByteSet> heads_;  // Ordered, so that runs do not differ.
};

// Numbers written with a fixed number of digits, most significant first.
class Digits {
 public:
  // `digits[d]` is how digit d may be written; they must outlive this.
  Digits(RegexArena& arena, absl::Span<const ByteSet> digits) : arena_(arena), digits_(digits) {}

  // What writes a number of the ranges with `count` digits. All numbers are from `base` on, and
  // less than base + digits^count.
  RegexId Write(const Ranges& ranges, char32_t base, int count) {
    if (ranges.empty()) return RegexArena::kNothing;
    if (count == 0) return RegexArena::kEmptyString;
    if (ranges.size() == 1 && ranges[0].first == ranges[0].last) {
      return WriteNumber(ranges[0].first - base, count);
    }
    const char32_t block = Power(count - 1);
    const auto radix = static_cast<char32_t>(digits_.size());
    if (ranges.front() == CodePointRange{base, base + radix * block - 1}) return WriteAll(count);
    Branches branches;
    const char32_t last = (ranges.back().last - base) / block;
    for (char32_t digit = (ranges.front().first - base) / block; digit <= last; ++digit) {
      const char32_t first = base + digit * block;
      branches.Add(digits_[digit],
                   Write(Clip(ranges, {first, first + block - 1}), first, count - 1));
    }
    return branches.Build(arena_);
  }

 private:
  char32_t Power(int exponent) const {
    char32_t power = 1;
    for (int i = 0; i < exponent; ++i) power *= static_cast<char32_t>(digits_.size());
    return power;
  }

  RegexId WriteNumber(char32_t number, int count) {
    RegexId written = RegexArena::kEmptyString;
    for (; count > 0; --count, number /= static_cast<char32_t>(digits_.size())) {
      const ByteSet& digit = digits_[number % digits_.size()];
      written = arena_.Concat(arena_.Bytes(digit), written);
    }
    return written;
  }

  RegexId WriteAll(int count) {
    ByteSet any;
    for (const ByteSet& digit : digits_) any |= digit;
    const std::vector<RegexId> all(count, arena_.Bytes(any));
    return arena_.Concat(all);
  }

  RegexArena& arena_;
  absl::Span<const ByteSet> digits_;
};

constexpr std::array<ByteSet, 64> ContinuationBytes() {
  std::array<ByteSet, 64> digits;
  for (uint8_t digit = 0; digit < 64; ++digit) digits[digit] = ByteSet::Of(0x80 + digit);
  return digits;
}

constexpr std::array<ByteSet, 16> HexDigits() {
  std::array<ByteSet, 16> digits;
  for (uint8_t digit = 0; digit < 10; ++digit) digits[digit] = ByteSet::Of('0' + digit);
  for (uint8_t digit = 0; digit < 6; ++digit) {
    digits[10 + digit] = ByteSet::Of('a' + digit) | ByteSet::Of('A' + digit);
  }
  return digits;
}

constexpr std::array<ByteSet, 64> kContinuationBytes = ContinuationBytes();
constexpr std::array<ByteSet, 16> kHexDigits = HexDigits();

// Characters that take a lead byte from `min_lead` on and `tail` bytes behind it.
struct Utf8Form {
  CodePointRange code_points;
  uint8_t min_lead;
  int tail;
};

constexpr Utf8Form kUtf8Forms[] = {
    {{0x80, 0x7FF}, 0xC0, 1}, {{0x800, 0xFFFF}, 0xE0, 2}, {{0x10000, 0x10FFFF}, 0xF0, 3}};

RegexId EncodeUtf8(RegexArena& arena, const CodePointSet& set) {
  Branches branches;
  for (const CodePointRange& range : Clip(set.ranges(), {0, 0x7F})) {
    branches.Add(
        ByteSet::Range(static_cast<uint8_t>(range.first), static_cast<uint8_t>(range.last)),
        RegexArena::kEmptyString);
  }
  Digits tails(arena, kContinuationBytes);
  for (const Utf8Form& form : kUtf8Forms) {
    const Ranges ranges = Clip(set.ranges(), form.code_points);
    if (ranges.empty()) continue;
    const char32_t block = char32_t{1} << (6 * form.tail);
    for (char32_t lead = ranges.front().first / block; lead <= ranges.back().last / block; ++lead) {
      const CodePointRange bounds = {lead * block, lead * block + block - 1};
      branches.Add(ByteSet::Of(static_cast<uint8_t>(form.min_lead + lead)),
                   tails.Write(Clip(ranges, bounds), bounds.first, form.tail));
    }
  }
  return branches.Build(arena);
}

// Behind a backslash.
struct ShortEscape {
  char32_t code_point;
  char letter;
};

constexpr ShortEscape kShortEscapes[] = {{'\b', 'b'}, {'\f', 'f'}, {'\n', 'n'}, {'\r', 'r'},
                                         {'\t', 't'}, {'"', '"'},  {'/', '/'},  {'\\', '\\'}};

bool Contains(const CodePointSet& set, char32_t code_point) {
  return absl::c_any_of(set.ranges(), [code_point](const CodePointRange& range) {
    return range.first <= code_point && code_point <= range.last;
  });
}

constexpr char32_t kPairBase = 0x10000;
constexpr char32_t kHighBase = 0xD800;
constexpr char32_t kLowBase = 0xDC00;
constexpr char32_t kLowCount = 0x400;

// uXXXX, and uXXXX\uXXXX above U+FFFF.
class UnicodeEscapes {
 public:
  explicit UnicodeEscapes(RegexArena& arena) : arena_(arena), hex_(arena, kHexDigits) {}

  RegexId Write(const CodePointSet& set) {
    std::vector<RegexId> units = {
        hex_.Write(Clip(set.ranges(), {0, kPairBase - 1}), 0, kUnitDigits)};
    // Which high surrogates have the same low ones behind them.
    std::map<RegexId, Ranges> highs;
    for (const CodePointRange& range : Clip(set.ranges(), {kPairBase, 0x10FFFF})) {
      AddPairs({range.first - kPairBase, range.last - kPairBase}, highs);
    }
    for (const auto& [low, ranges] : highs) {
      const RegexId high = hex_.Write(CodePointRanges(ranges), 0, kUnitDigits);
      units.push_back(arena_.Concat({high, arena_.Literal("\\u"), low}));
    }
    return arena_.Concat(arena_.Literal("u"), arena_.Either(units));
  }

 private:
  static constexpr int kUnitDigits = 4;

  // Ascending and joined; the surrogates stay, unlike in a CodePointSet.
  static Ranges CodePointRanges(Ranges ranges) {
    absl::c_sort(
        ranges, [](const CodePointRange& a, const CodePointRange& b) { return a.first < b.first; });
    return ranges;
  }

  // `pairs` counts from U+10000.
  void AddPairs(const CodePointRange& pairs, std::map<RegexId, Ranges>& highs) {
    char32_t next = pairs.first;
    while (next <= pairs.last) {
      const char32_t high = next / kLowCount;
      const char32_t end_of_high = high * kLowCount + kLowCount - 1;
      char32_t last = std::min(pairs.last, end_of_high);
      const Ranges lows = {{kLowBase + next % kLowCount, kLowBase + last % kLowCount}};
      // As many whole ones as there are.
      if (next % kLowCount == 0 && last == end_of_high) {
        last = (pairs.last + 1) / kLowCount * kLowCount - 1;
      }
      highs[hex_.Write(lows, 0, kUnitDigits)].push_back(
          {kHighBase + high, kHighBase + last / kLowCount});
      next = last + 1;
    }
  }

  RegexArena& arena_;
  Digits hex_;
};

}  // namespace

RegexId CharacterCoding::Character(const CodePointSet& set) {
  const auto found = encoded_.find(set);
  if (found != encoded_.end()) return found->second;
  const RegexId encoded = Encode(set);
  if (is_json_) arena_.MarkTexts(encoded);
  return encoded_[set] = encoded;
}

RegexId CharacterCoding::Character(char32_t code_point) {
  if (code_point >= ascii_.size()) return Character(CodePointSet::Of(code_point));
  RegexId& encoded = ascii_[code_point];
  if (encoded == RegexArena::kNothing) encoded = Character(CodePointSet::Of(code_point));
  return encoded;
}

RegexId Utf8Coding::Encode(const CodePointSet& set) { return EncodeUtf8(arena(), set); }

RegexId CanonicalStringCoding::Encode(const CodePointSet& set) {
  static const CodePointSet* const short_escaped = new CodePointSet({{'"', '"'}, {'\\', '\\'}});
  static const CodePointSet* const plain =
      new CodePointSet(CodePointSet::Range(0x20, 0x7F) & ~*short_escaped);
  std::vector<RegexId> ways = {EncodeUtf8(arena(), set & *plain)};
  for (const char escaped : {'"', '\\'}) {
    if (Contains(set, static_cast<char32_t>(escaped))) {
      ways.push_back(arena().Literal(std::string{'\\', escaped}));
    }
  }
  const CodePointSet others = set & ~(*plain | *short_escaped);
  if (!others.empty()) ways.push_back(any_form_.Character(others));
  return arena().Either(ways);
}

RegexId JsonStringCoding::Encode(const CodePointSet& set) {
  static const CodePointSet* const escaped =
      new CodePointSet({{0, 0x1F}, {'"', '"'}, {'\\', '\\'}});
  ByteSet letters;
  for (const ShortEscape& escape : kShortEscapes) {
    if (Contains(set, escape.code_point)) letters.Insert(static_cast<uint8_t>(escape.letter));
  }
  const RegexId behind_backslash =
      arena().Either(arena().Bytes(letters), UnicodeEscapes(arena()).Write(set));
  return arena().Either(EncodeUtf8(arena(), set & ~*escaped),
                        arena().Concat(arena().Literal("\\"), behind_backslash));
}

}  // namespace logitchain
