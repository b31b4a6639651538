#include "logitchain/core/token_counts.h"

#include <cstdint>
#include <map>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/token_id.h"

namespace logitchain {
namespace {

using ::testing::IsEmpty;

std::map<TokenId, int32_t> AsMap(const TokenCounts& counts) {
  std::map<TokenId, int32_t> map;
  for (const TokenCounts::Entry& entry : counts.entries()) {
    EXPECT_TRUE(map.emplace(entry.id, entry.count).second) << entry.id << " is there twice";
  }
  return map;
}

TEST(TokenCountsTest, IsEmptyAtFirst) {
  const TokenCounts counts;
  EXPECT_THAT(counts.entries(), IsEmpty());
  EXPECT_EQ(counts.count(0), 0);
}

TEST(TokenCountsTest, AnyIdCounts) {
  TokenCounts counts;
  for (const TokenId id : {-1, 0, INT32_MAX, INT32_MIN, -1}) counts.Add(id);
  EXPECT_EQ(counts.count(-1), 2);
  EXPECT_EQ(counts.count(INT32_MAX), 1);
  EXPECT_EQ(counts.count(INT32_MIN), 1);
  EXPECT_EQ(counts.count(1), 0);
}

TEST(TokenCountsTest, ATokenTakenOffForTheLastTimeIsGone) {
  TokenCounts counts;
  for (const TokenId id : {7, 8, 7, 9}) counts.Add(id);
  counts.Remove(7);
  EXPECT_EQ(AsMap(counts), (std::map<TokenId, int32_t>{{7, 1}, {8, 1}, {9, 1}}));
  counts.Remove(7);
  EXPECT_EQ(AsMap(counts), (std::map<TokenId, int32_t>{{8, 1}, {9, 1}}));
  counts.Remove(9);
  counts.Remove(8);
  EXPECT_THAT(counts.entries(), IsEmpty());
}

TEST(TokenCountsTest, CopiesAreIndependent) {
  TokenCounts counts;
  counts.Add(1);
  TokenCounts copy = counts;
  copy.Add(1);
  copy.Add(2);
  EXPECT_EQ(AsMap(counts), (std::map<TokenId, int32_t>{{1, 1}}));
}

TEST(TokenCountsTest, AgreesWithAMapOverRandomOperations) {
  Pcg32 random(1);
  TokenCounts counts;
  std::map<TokenId, int32_t> expected;
  for (int i = 0; i < 20000; ++i) {
    const TokenId id = static_cast<TokenId>(random.Next() % 20);
    if (random.Next() % 2 == 0) {
      counts.Add(id);
      ++expected[id];
    } else if (expected.contains(id)) {
      counts.Remove(id);
      if (--expected[id] == 0) expected.erase(id);
    }
    if (i % 5000 == 4999) {
      counts.Clear();
      expected.clear();
    }
    ASSERT_EQ(AsMap(counts), expected) << "after operation " << i;
    ASSERT_EQ(counts.count(id), expected.contains(id) ? expected[id] : 0);
  }
}

}  // namespace
}  // namespace logitchain
