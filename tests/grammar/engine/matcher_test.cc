#include "logitchain/grammar/engine/matcher.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/syntax/gbnf_syntax.h"
#include "logitchain/tests/grammar/engine/mask_words.h"
#include "logitchain/tests/grammar/engine/token_indexes.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Matcher GbnfMatcher(const std::string& gbnf, std::shared_ptr<const TokenIndex> index) {
  return MatcherOf(GbnfGrammar(gbnf).value(), std::move(index));
}

// Accepts the bytes one by one.
absl::Status AcceptBytes(Matcher& matcher, const std::string& text) {
  for (const char byte : text) {
    if (absl::Status status = matcher.Accept(static_cast<uint8_t>(byte)); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

bool Matches(const std::string& gbnf, const std::string& text) {
  Matcher matcher = GbnfMatcher(gbnf, ByteIndex());
  return AcceptBytes(matcher, text).ok() && *matcher.IsAccepting();
}

// What may come: 0 "a", 1 "ab", 2 "b", 3 "ba", 4 the end.
class SmallMatcherTest : public testing::Test {
 protected:
  static constexpr TokenId kStop = 4;

  static Matcher Of(const std::string& gbnf) {
    return GbnfMatcher(gbnf, IndexOf({"a", "ab", "b", "ba"}));
  }
};

TEST_F(SmallMatcherTest, TokensMayCrossTerminalsAndRules) {
  Matcher matcher = Of("root ::= x x\nx ::= \"a\" \"b\"?");
  EXPECT_THAT(Allowed(matcher, 5), ElementsAre(0, 1));
  ASSERT_THAT(matcher.Accept(0), IsOk());
  EXPECT_THAT(Allowed(matcher, 5), ElementsAre(0, 1, 2, 3));  // "aa" "aab" "ab" "aba"
  ASSERT_THAT(matcher.Accept(3), IsOk());
  EXPECT_THAT(Allowed(matcher, 5), ElementsAre(2, kStop));
}

TEST_F(SmallMatcherTest, TheStopTokenMayComeWhereTheTextMayEndAndNothingBehindIt) {
  Matcher matcher = Of("root ::= \"a\"*");
  EXPECT_THAT(Allowed(matcher, 5), ElementsAre(0, kStop));
  ASSERT_THAT(matcher.Accept(kStop), IsOk());
  EXPECT_THAT(Allowed(matcher, 5), IsEmpty());
  EXPECT_TRUE(*matcher.IsAccepting());
  EXPECT_THAT(matcher.Accept(0), StatusIs(absl::StatusCode::kInvalidArgument,
                                          "token 0 is refused: the text has ended"));
  EXPECT_THAT(matcher.Accept(kStop), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(SmallMatcherTest, RollsBackAlsoBehindTheStopToken) {
  Matcher matcher = Of("root ::= \"ab\" \"b\"?");
  for (const TokenId id : {0, 2, kStop}) ASSERT_THAT(matcher.Accept(id), IsOk());
  ASSERT_THAT(matcher.Rollback(1), IsOk());
  EXPECT_THAT(Allowed(matcher, 5), ElementsAre(2, kStop));
  ASSERT_THAT(matcher.Rollback(1), IsOk());
  EXPECT_THAT(Allowed(matcher, 5), ElementsAre(2));
  EXPECT_THAT(matcher.Rollback(2), StatusIs(absl::StatusCode::kInvalidArgument,
                                            "cannot roll back 2 tokens; the grammar has "
                                            "followed 1"));
  EXPECT_THAT(matcher.Rollback(-1), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Allowed(matcher, 5), ElementsAre(2));
  matcher.Reset();
  EXPECT_THAT(Allowed(matcher, 5), ElementsAre(0, 1));
}

TEST_F(SmallMatcherTest, AFailedAcceptLeavesTheStateAsItWas) {
  Matcher matcher = Of("root ::= \"aab\"");
  ASSERT_THAT(matcher.Accept(0), IsOk());
  // The first byte of "ab" fits and the second does not.
  for (const TokenId id : {2, 3, kStop, 5, -1}) EXPECT_FALSE(matcher.Accept(id).ok()) << id;
  EXPECT_THAT(Allowed(matcher, 5), ElementsAre(0, 1));
  ASSERT_THAT(matcher.Accept(1), IsOk());
  EXPECT_THAT(Allowed(matcher, 5), ElementsAre(kStop));
}

TEST_F(SmallMatcherTest, AForkGoesItsOwnWay) {
  Matcher matcher = Of("root ::= \"a\" | \"b\" \"a\"");
  const std::unique_ptr<Matcher> fork = matcher.Fork();
  ASSERT_THAT(fork->Accept(2), IsOk());
  EXPECT_THAT(Allowed(*fork, 5), ElementsAre(0));
  EXPECT_THAT(Allowed(matcher, 5), ElementsAre(0, 2, 3));
  ASSERT_THAT(matcher.Accept(0), IsOk());
  ASSERT_THAT(fork->Rollback(1), IsOk());
  EXPECT_THAT(Allowed(*fork, 5), ElementsAre(0, 2, 3));
}

TEST_F(SmallMatcherTest, AStopTokenIsNoText) {
  // The stop token's own bytes are "</s>".
  Matcher matcher = Of("root ::= \"a\" (\"</s>\" | \"b\")");
  ASSERT_THAT(matcher.Accept(0), IsOk());
  EXPECT_THAT(Allowed(matcher, 5), ElementsAre(2));
}

TEST_F(SmallMatcherTest, ExplainsWhyATokenIsRefused) {
  Matcher matcher = Of("root ::= \"aab\" [0-9x]?");
  const auto reason = [&](TokenId id) { return matcher.Explain(id)->reason; };
  EXPECT_EQ(reason(1), "token 1, \"ab\", is refused at its byte 1: there may come [a], not \"b\"");
  EXPECT_EQ(reason(kStop), "token 4 ends the text, which cannot end here: there may come [a]");
  EXPECT_EQ(reason(5), "token 5 is not in the grammar's vocabulary, [0, 5)");
  EXPECT_TRUE(matcher.Explain(0)->is_allowed);
  EXPECT_EQ(reason(0), "");
  ASSERT_THAT(matcher.Accept(0), IsOk());
  ASSERT_THAT(matcher.Accept(1), IsOk());
  EXPECT_EQ(reason(0),
            "token 0, \"a\", is refused at its byte 0: there may come [0-9x], or the end, "
            "not \"a\"");
}

TEST_F(SmallMatcherTest, ForcedBytesGoOnAsLongAsThereIsNoChoice) {
  Matcher matcher = Of("root ::= \"a\" (\"ab\" | \"ab\" \"b\")");
  EXPECT_EQ(*matcher.ForcedBytes(), "aab");
  ASSERT_THAT(matcher.Accept(0), IsOk());
  EXPECT_EQ(*matcher.ForcedBytes(), "ab");
  ASSERT_THAT(matcher.Accept(1), IsOk());
  EXPECT_EQ(*matcher.ForcedBytes(), "") << "the text may end";
}

TEST_F(SmallMatcherTest, AMaskThatIsTooShortIsRefusedAndALongerOneIsFilledAsFarAsThereAreTokens) {
  Matcher matcher = Of("root ::= \"a\"");
  EXPECT_THAT(matcher.FillMask({}), StatusIs(absl::StatusCode::kInvalidArgument,
                                             "the mask has 0 words; the grammar's vocabulary of 5 "
                                             "tokens needs 1"));
  EXPECT_THAT(Allowed(matcher, 100), ElementsAre(0));
}

TEST_F(SmallMatcherTest, WhatWasInAMaskBeforeMeansNothing) {
  Matcher matcher = Of("root ::= \"a\"");
  const auto fill = [&] {
    std::vector<int32_t> mask = {-1, -1};
    EXPECT_THAT(matcher.FillMask(absl::MakeSpan(mask)), IsOk());
    return mask;
  };
  // From the second time on it is one that was kept.
  for (int time = 0; time < 3; ++time) EXPECT_THAT(fill(), ElementsAre(1 << 0, 0)) << time;
  ASSERT_THAT(matcher.Accept(0), IsOk());
  EXPECT_THAT(fill(), ElementsAre(1 << kStop, 0));
  ASSERT_THAT(matcher.Accept(kStop), IsOk());
  EXPECT_THAT(fill(), ElementsAre(0, 0));
}

// 0 "a", 1 "ab", 2 "b", 3 "ba", 4 the end: there is no way to spell a "c".
TEST_F(SmallMatcherTest, TokensBehindWhichTheVocabularyCannotCompleteTheTextMayNotCome) {
  Matcher matcher = Of("root ::= \"ab\" (\"a\" | \"bbb\" \"bc\") | \"b\"");
  EXPECT_THAT(Allowed(matcher, 5), ElementsAre(0, 1, 2));
  ASSERT_THAT(matcher.Accept(0), IsOk());
  EXPECT_THAT(Allowed(matcher, 5), ElementsAre(2, 3));
  ASSERT_THAT(matcher.Accept(2), IsOk());
  EXPECT_THAT(Allowed(matcher, 5), ElementsAre(0)) << "four tokens on, a c would have to come";
  const std::string reason =
      "token 2, \"b\", is refused: behind it there may come [b], and no tokens of the vocabulary "
      "complete the text";
  EXPECT_EQ(matcher.Explain(2)->reason, reason);
  EXPECT_THAT(matcher.Accept(2), StatusIs(absl::StatusCode::kInvalidArgument, reason));
  EXPECT_THAT(matcher.Accept(0), IsOk());
}

TEST_F(SmallMatcherTest, WhereNoTextCanBeCompletedNoTokenMayCome) {
  Matcher matcher = Of("root ::= \"a\" root | \"c\"");
  EXPECT_THAT(Allowed(matcher, 5), IsEmpty());
  EXPECT_EQ(matcher.WhyNone(), "there may come [ac]; the vocabulary has no tokens for that");
}

// Each state is another one, and none of them is the end.
TEST_F(SmallMatcherTest, WhatIsTooFarAwayIsTakenForAnEnd) {
  Matcher matcher = Of("root ::= \"a\" root \"c\" | \"b\"");
  EXPECT_THAT(Allowed(matcher, 5), ElementsAre(0, 2));
  ASSERT_THAT(matcher.Accept(0), IsOk());
  EXPECT_THAT(Allowed(matcher, 5), ElementsAre(0));
}

// Of so many tokens, few are not kept as a mask.
TEST(MatcherTest, WhatWasInAMaskBeforeMeansNothingWhereFewOfManyTokensMayCome) {
  const std::vector<std::string> more(1000, "b");
  Matcher matcher = GbnfMatcher("root ::= \"a\"", ByteIndex(more));
  std::vector<int32_t> expected(40);  // For 1257 tokens.
  expected['a' / 32] = 1 << ('a' % 32);
  for (int time = 0; time < 3; ++time) {
    std::vector<int32_t> mask(40, -1);
    ASSERT_THAT(matcher.FillMask(absl::MakeSpan(mask)), IsOk());
    EXPECT_THAT(mask, ElementsAreArray(expected)) << time;
  }
}

TEST(MatcherTest, AVocabularyOfAllBytesCompletesEveryText) {
  std::vector<std::string> words = {"no", "none"};
  for (int byte = 0; byte < 256; ++byte) {
    if (byte != 'e') words.emplace_back(1, static_cast<char>(byte));
  }
  Matcher without = GbnfMatcher("root ::= \"none\"", IndexOf(words));
  EXPECT_THAT(Allowed(without, 257), ElementsAre(1));
  Matcher with = GbnfMatcher("root ::= \"none\"", ByteIndex(words));
  EXPECT_THAT(Allowed(with, 514), ElementsAre('n', 256, 257, 257 + 'n'));
}

TEST(MatcherTest, SpecialTokensAndThoseWithoutBytesNeverCome) {
  const auto index = std::make_shared<const TokenIndex>(
      Vocabulary::Create(
          {.token_bytes = {"a", "", "<s>", "a"}, .special_ids = {2, 3}, .stop_ids = {3}})
          .value());
  Matcher matcher = GbnfMatcher("root ::= [a<s>]*", index);
  EXPECT_THAT(Allowed(matcher, 4), ElementsAre(0, 3));
  EXPECT_EQ(matcher.Explain(1)->reason, "token 1 has no bytes; a grammar allows only text");
  EXPECT_EQ(matcher.Explain(2)->reason,
            "token 2 is special; it is no text that a grammar could allow");
}

// The word may end at each letter of each token, which are too many places to look at one by one.
TEST(MatcherTest, LongTokensMayComeWhereAWordMayEndAnywhere) {
  std::vector<std::string> more = {"ab", "ab(c)", "ab(C)", "ab)"};
  const auto first_long = static_cast<TokenId>(256 + more.size());
  constexpr int kLongTokens = 500;
  for (int i = 0; i < kLongTokens; ++i) {
    const char letters[] = {static_cast<char>('a' + i % 26), static_cast<char>('a' + i / 26)};
    more.push_back(std::string(letters, 2) + std::string(40, 'z'));
  }
  more.push_back(std::string(40, 'Z'));
  std::vector<TokenId> expected = {'('};
  for (TokenId id = 'a'; id <= 'z'; ++id) expected.push_back(id);
  expected.insert(expected.end(), {256, 257});
  for (int i = 0; i < kLongTokens; ++i) expected.push_back(first_long + i);
  const auto stop = static_cast<TokenId>(256 + more.size());
  expected.push_back(stop);
  Matcher matcher =
      GbnfMatcher("root ::= [a-z]* list\nlist ::= \"(\" list \")\" | [a-z]*", ByteIndex(more));
  EXPECT_THAT(Allowed(matcher, stop + 1), ElementsAreArray(expected));
}

TEST(MatcherTest, TokensMaySplitCharactersAndUtf8IsKept) {
  // 256 the first two bytes of a hiragana, 257 its last and a full stop, 258 an overlong slash.
  const auto index = ByteIndex({"\xE3\x81", "\x82.", "\xC0\xAF"});
  Matcher matcher = GbnfMatcher("root ::= [^\\n]+ \".\"", index);
  ASSERT_THAT(matcher.Accept(256), IsOk());
  const std::vector<TokenId> allowed = Allowed(matcher, 260);
  ASSERT_EQ(allowed.size(), 65u);  // Tail bytes, and "\x82."
  EXPECT_EQ(allowed.front(), 0x80);
  EXPECT_EQ(allowed[63], 0xBF);
  EXPECT_EQ(allowed[64], 257);
  ASSERT_THAT(matcher.Accept(257), IsOk());
  EXPECT_TRUE(*matcher.IsAccepting());
  EXPECT_FALSE(matcher.Accept(258).ok());
  EXPECT_FALSE(matcher.Accept(0x80).ok());
  EXPECT_FALSE(matcher.Accept(0xFF).ok());
}

TEST(MatcherTest, LeftAndRightRecursionNeedNoMoreStatesForLongerTexts) {
  for (const std::string grammar : {"root ::= root \"a\" | \"a\"", "root ::= \"a\" root | \"a\"",
                                    "root ::= x\nx ::= y \"a\" | \"a\"\ny ::= x"}) {
    SCOPED_TRACE(grammar);
    const auto compiled =
        CompiledGrammar::Compile(GbnfGrammar(grammar).value(), ByteIndex(), 1 << 16).value();
    Matcher matcher(compiled);
    for (int i = 0; i < 5000; ++i) ASSERT_THAT(matcher.Accept('a'), IsOk());
    EXPECT_TRUE(*matcher.IsAccepting());
  }
}

TEST(MatcherTest, NestingIsCounted) {
  const std::string nested = "root ::= \"(\" root* \")\"";
  EXPECT_TRUE(Matches(nested, "(()(()))"));
  EXPECT_FALSE(Matches(nested, "(()(())"));
  EXPECT_FALSE(Matches(nested, "())"));
  std::string deep(2000, '(');
  deep.append(2000, ')');
  EXPECT_TRUE(Matches(nested, deep));
}

TEST(MatcherTest, AmbiguityIsNeverExponential) {
  // Each text has as many readings as there are binary trees.
  const std::string ambiguous = "root ::= root root | \"a\" | \"\"";
  EXPECT_TRUE(Matches(ambiguous, std::string(60, 'a')));
  EXPECT_TRUE(Matches("root ::= [a-z]+ ([ ]? [a-z]+)*", std::string(3000, 'a')));
  EXPECT_TRUE(Matches("root ::= x*\nx ::= \"a\" x | \"a\" | x x", std::string(60, 'a')));
}

TEST(MatcherTest, TooManyReadingsAreAnErrorAndLeaveTheMatcherAsItWas) {
  const auto compiled = CompiledGrammar::Compile(GbnfGrammar("root ::= \"(\" root* \")\"").value(),
                                                 ByteIndex(), 1 << 16)
                            .value();
  Matcher matcher(compiled);
  absl::Status status;
  int depth = 0;
  while (depth < 100'000 && status.ok()) {
    status = matcher.Accept('(');
    depth += status.ok() ? 1 : 0;
  }
  ASSERT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("65536 bytes")));
  ASSERT_THAT(matcher.Rollback(depth - 3), IsOk());
  EXPECT_THAT(AcceptBytes(matcher, ")))"), IsOk());
  EXPECT_TRUE(*matcher.IsAccepting());
}

// Tables that are full are begun anew, and no text notices.
TEST(MatcherTest, ManyTextsDoNotFillTheTables) {
  const auto compiled =
      CompiledGrammar::Compile(GbnfGrammar("root ::= [ab]{40} | \"(\" root \")\"").value(),
                               ByteIndex(), 1 << 18)
          .value();
  Matcher old(compiled);
  ASSERT_THAT(AcceptBytes(old, "((a"), IsOk());
  for (int depth = 1; depth < 60; ++depth) {
    Matcher matcher(compiled);
    const std::string text = std::string(depth, '(') + std::string(40, 'b');
    ASSERT_THAT(AcceptBytes(matcher, text + std::string(depth, ')')), IsOk()) << depth;
    ASSERT_TRUE(*matcher.IsAccepting());
  }
  ASSERT_THAT(AcceptBytes(old, std::string(39, 'a') + "))"), IsOk());
  EXPECT_TRUE(*old.IsAccepting());
}

TEST(MatcherTest, TablesMayFillUpWithinAnExplanationOrAMask) {
  const TokenId kLong = 256;
  const auto compiled =
      CompiledGrammar::Compile(GbnfGrammar("root ::= [ab]{40} | \"(\" root \")\"").value(),
                               ByteIndex({std::string(40, 'b')}), 1 << 18)
          .value();
  for (int depth = 1; depth < 60; ++depth) {
    Matcher matcher(compiled);
    ASSERT_THAT(AcceptBytes(matcher, std::string(depth, '(')), IsOk());
    const auto explanation = matcher.Explain(kLong);
    ASSERT_THAT(explanation, IsOk());
    EXPECT_TRUE(explanation->is_allowed) << depth;
    EXPECT_EQ(explanation->cause, "") << depth;
    EXPECT_THAT(Allowed(matcher, 258), ElementsAre('(', 'a', 'b', kLong)) << depth;
  }
}

// What cannot be completed is not begun.
TEST(MatcherTest, WaysThatLeadNowhereAreNotTaken) {
  Matcher matcher = GbnfMatcher("root ::= \"a\" x | \"b\"\nx ::= \"c\" x", ByteIndex());
  EXPECT_THAT(Allowed(matcher, 257), ElementsAre('b'));
}

TEST(MatcherTest, MatchersInSeveralThreadsShareAGrammar) {
  const auto compiled =
      CompiledGrammar::Compile(GbnfGrammar("root ::= \"(\" (root | [a-z]+)* \")\"").value(),
                               ByteIndex())
          .value();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&compiled, i] {
      for (int depth = 1; depth < 30; ++depth) {
        Matcher matcher(compiled);
        std::string text(depth, '(');
        text.append(5, static_cast<char>('a' + i));
        text.append(depth, ')');
        EXPECT_THAT(AcceptBytes(matcher, text), IsOk());
        EXPECT_THAT(Allowed(matcher, 257), ElementsAre(256));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace logitchain
