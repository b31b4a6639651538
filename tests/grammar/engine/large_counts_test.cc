// Expressions without their large counts match, and let go on, the same short texts.

#include "logitchain/grammar/engine/large_counts.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "logitchain/grammar/regex/byte_set.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

constexpr int32_t kLongest = 4;

class LargeCountsTest : public testing::Test {
 protected:
  LargeCountsTest() {
    for (const RegexId letter : {a_, b_, any_}) arena_.MarkTexts(letter);
    arena_.SetTexts(arena_.Repeat(any_, 0, kUnbounded));
  }

  RegexId UpTo(RegexId id, int32_t max) { return arena_.Repeat(id, 0, max); }

  // Both over every text of up to kLongest letters.
  void ExpectAlike(RegexId x, RegexId y, const std::string& text = "") {
    EXPECT_EQ(arena_.MatchesEmpty(x), arena_.MatchesEmpty(y)) << text;
    EXPECT_EQ(arena_.IsNothing(x), arena_.IsNothing(y)) << text;
    if (text.size() == kLongest) return;
    for (const char letter : {'a', 'b'}) {
      ExpectAlike(arena_.Derivative(x, letter), arena_.Derivative(y, letter), text + letter);
    }
  }

  RegexArena arena_;
  const RegexId a_ = arena_.Literal("a");
  const RegexId b_ = arena_.Literal("b");
  const RegexId any_ = arena_.Bytes(ByteSet::Of('a') | ByteSet::Of('b'));
  LargeCounts large_counts_{kLongest, arena_};
};

TEST_F(LargeCountsTest, CountsThatAreReachedStay) {
  const RegexId id = arena_.Concat(UpTo(a_, kLongest - 1), b_);
  EXPECT_EQ(large_counts_.Without(id), id);
}

TEST_F(LargeCountsTest, OthersGo) {
  const RegexId id = arena_.Concat(UpTo(a_, kLongest), b_);
  EXPECT_EQ(large_counts_.Without(id), arena_.Concat(UpTo(a_, kUnbounded), b_));
  ExpectAlike(id, large_counts_.Without(id));
}

TEST_F(LargeCountsTest, TheyGoFromAlternativesAndBehindWhatMayBeEmpty) {
  const RegexId id =
      arena_.Either(arena_.Concat({UpTo(b_, 2), UpTo(a_, 9), b_}), arena_.Repeat(any_, 3, 7));
  EXPECT_EQ(large_counts_.Without(id),
            arena_.Either(arena_.Concat({UpTo(b_, 2), UpTo(a_, kUnbounded), b_}),
                          arena_.Repeat(any_, 3, kUnbounded)));
  ExpectAlike(id, large_counts_.Without(id));
}

TEST_F(LargeCountsTest, ALargestLengthGoesIfTheRestFitsInIt) {
  // Begun texts have a rest of at most two letters.
  const RegexId pairs = arena_.Repeat(arena_.Concat(a_, arena_.Concat(b_, a_)), 1, kUnbounded);
  const RegexId large = arena_.Both(UpTo(any_, 20), pairs);
  EXPECT_EQ(large_counts_.Without(large), pairs);
  ExpectAlike(large, large_counts_.Without(large));
}

TEST_F(LargeCountsTest, ALargestLengthStaysIfTheRestMayNotFit) {
  const RegexId long_text = arena_.Repeat(a_, 6, 9);
  const RegexId id = arena_.Both(UpTo(any_, 7), long_text);
  EXPECT_EQ(large_counts_.Without(id), id);
}

}  // namespace
}  // namespace logitchain
