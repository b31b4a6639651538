#include "logitchain/grammar/vocab/byte_trie.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/token_id.h"
#include "logitchain/grammar/vocab/trie_walk.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ByteTrieTest, StandsInDepthFirstOrderWithTheEndOfEachSubtree) {
  ByteTrie trie;
  const ByteTrie::Tree tree = trie.Add({{"b", 0}, {"abc", 1}, {"ab", 2}, {"ad", 3}, {"ab", 4}});
  // a, ab, abc, ad, b
  ASSERT_EQ(trie.size(), 5u);
  EXPECT_EQ(tree.begin, 0u);
  EXPECT_EQ(tree.end, 5u);
  EXPECT_EQ(trie.end(0), 4u);
  EXPECT_EQ(trie.end(1), 3u);
  EXPECT_EQ(trie.byte(3), 'd');
  EXPECT_THAT(trie.tokens(0), IsEmpty());
  EXPECT_THAT(trie.tokens(1), ElementsAre(2, 4));
  EXPECT_THAT(trie.tokens(0, 4), ElementsAre(2, 4, 1, 3));
  EXPECT_EQ(tree.child['b'], 4u);
  EXPECT_EQ(tree.child['c'], tree.end);
}

TEST(ByteTrieTest, HoldsSeveralTrees) {
  ByteTrie trie;
  trie.Add({{"xy", 7}});
  const ByteTrie::Tree empty = trie.Add({});
  const ByteTrie::Tree tree = trie.Add({{std::string("\0\xFF", 2), 8}});
  EXPECT_EQ(empty.begin, empty.end);
  EXPECT_EQ(tree.begin, 2u);
  EXPECT_EQ(tree.end, 4u);
  EXPECT_EQ(trie.byte(3), 0xFF);
  EXPECT_THAT(trie.tokens(tree.begin, tree.end), ElementsAre(8));
}

TEST(TrieWalkTest, VisitsWhatIsAliveAndSkipsTheRest) {
  ByteTrie trie;
  const ByteTrie::Tree tree =
      trie.Add({{"a", 0}, {"aa", 1}, {"aab", 2}, {"ab", 3}, {"b", 4}, {"ba", 5}, {"c", 6}});
  TrieWalk walk;
  std::vector<TokenId> visited;
  // The automaton counts the bytes and takes no c and no second b.
  walk.Run(
      trie, tree.begin, tree.end, 0,
      [](int32_t state, uint8_t byte) {
        return byte == 'c' || (byte == 'b' && state == 1) ? kDeadState : state + 1;
      },
      [&](ByteTrie::NodeIndex node, int32_t state) {
        visited.insert(visited.end(), trie.tokens(node).begin(), trie.tokens(node).end());
        return state < 3 && trie.byte(node) != 'b';
      });
  EXPECT_THAT(visited, ElementsAre(0, 1, 2, 4));
}

}  // namespace
}  // namespace logitchain
