#include "logitchain/grammar/engine/parser.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/token_id.h"
#include "logitchain/grammar/engine/build_network.h"
#include "logitchain/grammar/engine/network.h"
#include "logitchain/grammar/regex/regex_arena.h"
#include "logitchain/grammar/syntax/gbnf_syntax.h"
#include "logitchain/grammar/vocab/trie_walk.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using ::testing::HasSubstr;

// How many states there are along so many letters a.
int CountStates(Parser& parser, int letters) {
  std::set<int32_t> states;
  int32_t state = parser.start();
  for (int i = 0; i < letters; ++i) {
    state = parser.Next(state, 'a');
    EXPECT_NE(state, kDeadState);
    states.insert(state);
  }
  return static_cast<int>(states.size());
}

// What may follow is the same behind every letter, however many ways there are to read them.
TEST(ParserTest, AnAmbiguousTextNeedsNoMoreStatesThanItsRest) {
  for (const std::string grammar :
       {"root ::= root root | \"a\"", "root ::= root root | \"a\" | \"\"",
        "root ::= \"a\" root | root \"a\" | \"\"", "root ::= root \"b\"? root | \"a\""}) {
    const Network network = BuildNetwork(GbnfGrammar(grammar).value()).value();
    Parser parser(network, /*max_memory=*/int64_t{1} << 30);
    EXPECT_LE(CountStates(parser, 2000), 2) << grammar;
  }
}

// What is left of a text grows with it, but a step's work does not: with its square, these would
// take more than this memory.
TEST(ParserTest, EachLetterOfAnAmbiguousTextNeedsOneStateMore) {
  for (const std::string grammar :
       {"root ::= \"a\" root \"b\" | \"a\" root | \"\"",
        "root ::= root root root | root root | \"a\"",
        "root ::= s\ns ::= s t | t\nt ::= t s | \"a\" | \"a\" s",
        "root ::= e | f\ne ::= e e | f \"b\" | \"a\"\nf ::= f e | e f | \"a\""}) {
    const Network network = BuildNetwork(GbnfGrammar(grammar).value()).value();
    Parser parser(network, /*max_memory=*/int64_t{1} << 23);
    EXPECT_EQ(CountStates(parser, 2000), 2000) << grammar;
    EXPECT_THAT(parser.status(), IsOk()) << grammar;
  }
}

// What walks the lexer's states by itself asks the parser whether to believe what it found.
TEST(ParserTest, IsFullWhereItsLexerIs) {
  const Network network = BuildNetwork(GbnfGrammar("root ::= \"a\"").value()).value();
  Parser parser(network, /*max_memory=*/int64_t{1} << 40);
  ASSERT_THAT(parser.status(), IsOk());
  RegexArena& arena = parser.lexer().arena();
  RegexId longer = arena.Literal("b");
  for (int i = 0; i <= RegexArena::kDefaultMaxSize; ++i) {
    longer = arena.Concat(arena.Literal("b"), longer);
  }
  EXPECT_THAT(parser.status(), StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("parts")));
  EXPECT_EQ(parser.Next(parser.start(), 'a'), kDeadState);
}

// With several readings of the text, and with rules that begin, end and go on within a token.
TEST(ParserTest, FollowsATokenAsItFollowsItsBytes) {
  const Network network =
      BuildNetwork(GbnfGrammar("root ::= item+ \"!\"?\n"
                               "item ::= \"a\" | \"ab\" | \"b\" item | \"(\" root \")\"")
                       .value())
          .value();
  Parser parser(network, /*max_memory=*/int64_t{1} << 30);
  const std::vector<std::string> tokens = {"a", "ab", "aba", "b", "(a", "bb(ab)", "a!)", "!", "c"};
  std::vector<int32_t> reached = {parser.start()};
  std::set<int32_t> seen = {parser.start(), kDeadState};
  for (size_t i = 0; i < reached.size() && i < 100; ++i) {
    for (TokenId token = 0; token < static_cast<TokenId>(tokens.size()); ++token) {
      EXPECT_EQ(parser.Followed(reached[i], token), std::nullopt);
      const int32_t behind = parser.Follow(reached[i], token, tokens[token]);
      int32_t expected = reached[i];
      for (const char byte : tokens[token]) {
        if (expected != kDeadState) expected = parser.Next(expected, static_cast<uint8_t>(byte));
      }
      EXPECT_EQ(behind, expected) << tokens[token] << " in state " << reached[i];
      EXPECT_EQ(parser.Followed(reached[i], token), behind);
      EXPECT_EQ(parser.Follow(reached[i], token, tokens[token]), behind);
      if (seen.insert(behind).second) reached.push_back(behind);
    }
  }
  EXPECT_GT(reached.size(), 20);
}

}  // namespace
}  // namespace logitchain
