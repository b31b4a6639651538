#include "logitchain/grammar/regex/regex_arena.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/grammar/regex/byte_set.h"

namespace logitchain {
namespace {

using ::testing::IsEmpty;

bool Matches(RegexArena& arena, RegexId id, absl::string_view text) {
  for (const char byte : text) id = arena.Derivative(id, static_cast<uint8_t>(byte));
  return arena.MatchesEmpty(id);
}

// How many states the DFA of an expression has, those that match nothing apart.
size_t CountStates(RegexArena& arena, RegexId start) {
  absl::flat_hash_set<RegexId> seen = {start};
  std::vector<RegexId> open = {start};
  while (!open.empty()) {
    const RegexId id = open.back();
    open.pop_back();
    for (const auto& edge : arena.Transitions(id)) {
      if (seen.insert(edge.target).second) open.push_back(edge.target);
    }
  }
  return seen.size();
}

TEST(RegexArenaTest, EqualExpressionsHaveEqualIds) {
  RegexArena arena;
  const RegexId a = arena.Literal("a");
  const RegexId b = arena.Literal("b");
  const RegexId c = arena.Literal("c");
  EXPECT_EQ(arena.Either(arena.Literal("xa"), arena.Literal("xb")),
            arena.Either(arena.Literal("xb"), arena.Literal("xa")));
  EXPECT_EQ(arena.Either(a, b), arena.Bytes(ByteSet::Range('a', 'b')));
  EXPECT_EQ(arena.Both(arena.Bytes(ByteSet::Range('a', 'b')), b), b);
  EXPECT_EQ(arena.Concat(arena.Concat(a, b), c), arena.Concat(a, arena.Concat(b, c)));
  EXPECT_EQ(arena.Not(arena.Not(a)), a);
  EXPECT_EQ(arena.Not(RegexArena::kNothing), RegexArena::kAnything);
  EXPECT_EQ(arena.Both(a, b), RegexArena::kNothing);
  EXPECT_EQ(arena.Repeat(arena.Repeat(a, 0, 2), 0, 3), arena.Repeat(a, 0, 6));
  EXPECT_EQ(arena.Either(arena.Repeat(a, 2, 4), arena.Repeat(a, 5, 9)), arena.Repeat(a, 2, 9));
}

TEST(RegexArenaTest, CountsWithAGapAreNotMerged) {
  RegexArena arena;
  const RegexId a = arena.Literal("a");
  const RegexId two_or_four = arena.Either(arena.Repeat(a, 2, 2), arena.Repeat(a, 4, 4));
  EXPECT_FALSE(Matches(arena, two_or_four, "aaa"));
  EXPECT_TRUE(Matches(arena, two_or_four, "aaaa"));
  const RegexId even = arena.Repeat(arena.Repeat(a, 2, 2), 0, kUnbounded);
  EXPECT_FALSE(Matches(arena, even, "aaa"));
  EXPECT_TRUE(Matches(arena, even, "aaaa"));
}

TEST(RegexArenaTest, LargeCountsAreNotExpanded) {
  RegexArena arena;
  const RegexId counted = arena.Repeat(arena.Bytes(ByteSet::Range('a', 'z')), 1000, 1'000'000);
  EXPECT_LT(arena.size(), 10);
  EXPECT_FALSE(Matches(arena, counted, std::string(999, 'x')));
  EXPECT_TRUE(Matches(arena, counted, std::string(1000, 'x')));
  EXPECT_TRUE(Matches(arena, counted, std::string(2000, 'x')));
  EXPECT_TRUE(arena.status().ok());
}

TEST(RegexArenaTest, AnAmbiguousCountHasFewStates) {
  RegexArena arena;
  const RegexId word = arena.Either(arena.Literal("a"), arena.Literal("aa"));
  const RegexId counted = arena.Repeat(word, 0, 50);
  // The DFA needs a state for each of 0 to 100 letters.
  EXPECT_LE(CountStates(arena, counted), 110);
  EXPECT_TRUE(Matches(arena, counted, std::string(100, 'a')));
  EXPECT_FALSE(Matches(arena, counted, std::string(101, 'a')));
}

TEST(RegexArenaTest, TransitionsLeadNowhereDead) {
  RegexArena arena;
  const RegexId five = arena.Repeat(arena.Literal("a"), 5, 5);
  const RegexId at_most_three = arena.Repeat(arena.Bytes(ByteSet::All()), 0, 3);
  EXPECT_TRUE(arena.IsNothing(arena.Both(five, at_most_three)));
  const RegexId start = arena.Concat(arena.Literal("x"), arena.Both(five, at_most_three));
  EXPECT_TRUE(arena.IsNothing(start));
  EXPECT_THAT(arena.Transitions(start), IsEmpty());
  const RegexId either = arena.Either(start, arena.Literal("xy"));
  ASSERT_EQ(arena.Transitions(either).size(), 1);
  EXPECT_TRUE(Matches(arena, either, "xy"));
}

TEST(RegexArenaTest, IsNothingTellsOfAComplement) {
  RegexArena arena;
  const RegexId a = arena.Repeat(arena.Literal("a"), 1, kUnbounded);
  const RegexId not_a = arena.Not(a);
  EXPECT_TRUE(arena.IsNothing(arena.Both(arena.Literal("aaa"), not_a)));
  EXPECT_FALSE(arena.IsNothing(arena.Both(arena.Literal("aab"), not_a)));
  const RegexId as = arena.Repeat(arena.Literal("aa"), 1, kUnbounded);
  EXPECT_TRUE(arena.IsNothing(arena.Both(as, not_a)));
  EXPECT_FALSE(arena.IsNothing(arena.Both(a, arena.Not(as))));
}

TEST(RegexArenaTest, AFullArenaSaysSo) {
  RegexArena arena(100);
  RegexId id = arena.Literal(std::string(50, 'x'));
  EXPECT_TRUE(arena.status().ok());
  id = arena.Concat(id, arena.Literal("0123456789012345678901234567890123456789"));
  EXPECT_EQ(arena.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(arena.status().message(), "a regular expression needs more than 100 parts");
  EXPECT_EQ(id, RegexArena::kNothing);
}

TEST(RegexArenaTest, DeepNestingIsAnError) {
  RegexArena arena;
  RegexId id = arena.Literal("a");
  for (int i = 0; i < 5000; ++i) {
    id = arena.Repeat(arena.Concat(arena.Literal("("), id), 0, 2 + i);
  }
  EXPECT_EQ(arena.status().message(), "a regular expression is nested deeper than 1000 levels");
}

TEST(RegexArenaTest, ALongLiteralIsNotDeep) {
  RegexArena arena;
  const std::string text(100'000, 'x');
  const RegexId id = arena.Repeat(arena.Literal(text), 0, kUnbounded);
  EXPECT_TRUE(Matches(arena, id, text + text));
  EXPECT_TRUE(arena.status().ok());
}

// The texts over {a, b} of at most so many bytes that an expression matches, by the definition of
// each operation.
constexpr size_t kMaxLength = 5;
using Language = std::set<std::string>;

Language AllTexts() {
  Language all = {""};
  for (size_t length = 0; length < kMaxLength; ++length) {
    for (const std::string& text : Language(all)) all.insert({text + "a", text + "b"});
  }
  return all;
}

Language Join(const Language& a, const Language& b) {
  Language joined;
  for (const std::string& head : a) {
    for (const std::string& tail : b) {
      if (head.size() + tail.size() <= kMaxLength) joined.insert(head + tail);
    }
  }
  return joined;
}

struct Sample {
  RegexId id;
  Language language;
};

class RandomExpressions {
 public:
  explicit RandomExpressions(RegexArena& arena, uint32_t seed) : arena_(arena), random_(seed) {}

  Sample Next(int depth) {
    switch (depth == 0 ? random_() % 3 : random_() % 9) {
      case 0:
        return {arena_.Literal("a"), {"a"}};
      case 1:
        return {arena_.Bytes(ByteSet::Range('a', 'b')), {"a", "b"}};
      case 2:
        return {arena_.Literal("ba"), {"ba"}};
      case 3:
      case 4:
        return Concat(Next(depth - 1), Next(depth - 1));
      case 5:
        return Either(Next(depth - 1), Next(depth - 1));
      case 6:
        return Both(Next(depth - 1), Next(depth - 1));
      case 7:
        return Not(Next(depth - 1));
      default:
        return Repeat(Next(depth - 1));
    }
  }

 private:
  Sample Concat(const Sample& a, const Sample& b) {
    return {arena_.Concat(a.id, b.id), Join(a.language, b.language)};
  }

  Sample Either(const Sample& a, const Sample& b) {
    Language either = a.language;
    either.insert(b.language.begin(), b.language.end());
    return {arena_.Either(a.id, b.id), either};
  }

  Sample Both(const Sample& a, const Sample& b) {
    Language both;
    std::set_intersection(a.language.begin(), a.language.end(), b.language.begin(),
                          b.language.end(), std::inserter(both, both.begin()));
    return {arena_.Both(a.id, b.id), both};
  }

  Sample Not(const Sample& a) {
    Language rest;
    std::set_difference(all_.begin(), all_.end(), a.language.begin(), a.language.end(),
                        std::inserter(rest, rest.begin()));
    return {arena_.Not(a.id), rest};
  }

  Sample Repeat(const Sample& a) {
    const int32_t min = random_() % 3;
    const bool unbounded = random_() % 2 == 0;
    const int32_t max = min + random_() % 3;
    Language power = {""};
    Language language;
    // More than kMaxLength times adds nothing new.
    for (int32_t count = 0; count <= (unbounded ? 10 : max); ++count) {
      if (count >= min) language.insert(power.begin(), power.end());
      power = Join(power, a.language);
    }
    return {arena_.Repeat(a.id, min, unbounded ? kUnbounded : max), language};
  }

  RegexArena& arena_;
  std::mt19937 random_;
  const Language all_ = AllTexts();
};

TEST(RegexArenaTest, RandomExpressionsMatchWhatTheDefinitionsSay) {
  RegexArena arena;
  RandomExpressions expressions(arena, 7);
  const Language all = AllTexts();
  for (int i = 0; i < 2000; ++i) {
    const Sample sample = expressions.Next(4);
    Language matched;
    for (const std::string& text : all) {
      if (Matches(arena, sample.id, text)) matched.insert(text);
    }
    ASSERT_EQ(matched, sample.language) << "expression " << i;
    EXPECT_TRUE(matched.empty() || !arena.IsNothing(sample.id)) << "expression " << i;
  }
  ASSERT_TRUE(arena.status().ok()) << arena.status();
}

}  // namespace
}  // namespace logitchain
