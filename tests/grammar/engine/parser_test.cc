#include "logitchain/grammar/engine/parser.h"

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/grammar/engine/build_network.h"
#include "logitchain/grammar/engine/network.h"
#include "logitchain/grammar/regex/regex_arena.h"
#include "logitchain/grammar/syntax/gbnf_syntax.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using ::testing::HasSubstr;

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

}  // namespace
}  // namespace logitchain
