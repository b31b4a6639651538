#include "logitchain/grammar/grammar.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "logitchain/grammar/regex/regex_arena.h"
#include "logitchain/tests/grammar/testing/reference_recognizer.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

absl::StatusOr<Grammar> BuildRule(GrammarBuilder builder, NodeId body) {
  const RuleId start = builder.Rule("start");
  builder.Define(start, body);
  return std::move(builder).Build(start);
}

TEST(GrammarBuilderTest, MistakesAreErrors) {
  GrammarBuilder undefined;
  const NodeId call = undefined.Call(undefined.Rule("other"));
  EXPECT_THAT(BuildRule(std::move(undefined), call),
              StatusIs(absl::StatusCode::kInvalidArgument, "rule other is not defined"));
  GrammarBuilder twice;
  const NodeId text = twice.Text("a");
  twice.Define(twice.Rule("start"), text);
  EXPECT_THAT(BuildRule(std::move(twice), text),
              StatusIs(absl::StatusCode::kInvalidArgument, "rule start is defined twice"));
}

TEST(GrammarBuilderTest, LimitsAreErrors) {
  GrammarBuilder deep;
  NodeId node = deep.Text("a");
  for (int i = 0; i < 2000; ++i) node = deep.Optional(node);
  EXPECT_THAT(BuildRule(std::move(deep), node),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       "the grammar is nested deeper than 1000 levels"));
  GrammarBuilder large;
  for (int i = 0; i <= GrammarBuilder::kMaxNodes; ++i) node = large.Text("a");
  EXPECT_THAT(
      BuildRule(std::move(large), node),
      StatusIs(absl::StatusCode::kResourceExhausted, "the grammar has more than 1048576 parts"));
  GrammarBuilder full;
  node = full.Terminal(full.regexes().Literal(std::string(2'000'000, 'a')));
  EXPECT_THAT(BuildRule(std::move(full), node),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       "a regular expression needs more than 1048576 parts"));
}

TEST(GrammarBuilderTest, WhatDerivesNoTextIsTakenOut) {
  GrammarBuilder builder;
  const RuleId endless = builder.Rule("endless");
  builder.Define(endless, builder.Sequence({builder.Text("x"), builder.Call(endless)}));
  const NodeId dead = builder.Call(endless);
  const NodeId a = builder.Text("a");
  const NodeId members = builder.Unordered({.members = {a, dead, builder.Text("b")},
                                            .required = 1,
                                            .extra = dead,
                                            .separator = builder.Text(",")});
  const NodeId body = builder.Sequence(
      {builder.Choice({dead, a}), builder.Repeat(dead, 0, 5), builder.Optional(dead), members});
  const absl::StatusOr<Grammar> grammar = BuildRule(std::move(builder), body);
  ASSERT_THAT(grammar, IsOk());
  const GrammarNode& start = grammar->node(grammar->rules()[grammar->start()].body);
  EXPECT_EQ(grammar->node(grammar->children(start)[0]).child_count, 1);
  EXPECT_EQ(grammar->node(grammar->children(start)[1]).child_count, 0);
  const GrammarNode& pruned = grammar->node(grammar->children(start)[3]);
  ASSERT_EQ(pruned.child_count, 4);  // Separator, extra, and two members.
  EXPECT_EQ(grammar->children(pruned)[1], kNoNode);
  EXPECT_TRUE(ReferenceMatches(*grammar, "ab,a"));
  EXPECT_FALSE(ReferenceMatches(*grammar, "ab"));
}

TEST(GrammarBuilderTest, AGrammarWithoutTextsIsAnError) {
  const auto refused =
      StatusIs(absl::StatusCode::kInvalidArgument, "no text satisfies the grammar");
  GrammarBuilder recursive;
  const NodeId call = recursive.Call(recursive.Rule("start"));
  EXPECT_THAT(BuildRule(std::move(recursive), call), refused);
  GrammarBuilder required;
  const NodeId dead = required.Choice({});
  const NodeId members =
      required.Unordered({.members = {dead}, .required = 1, .separator = required.Text(",")});
  EXPECT_THAT(BuildRule(std::move(required), members), refused);
  GrammarBuilder too_few;
  const NodeId two =
      too_few.Unordered({.members = {too_few.Text("a")}, .separator = too_few.Text(","), .min = 2});
  EXPECT_THAT(BuildRule(std::move(too_few), two), refused);
  GrammarBuilder disjoint;
  RegexArena& regexes = disjoint.regexes();
  const NodeId both = disjoint.Terminal(regexes.Both(
      regexes.Concat(regexes.Literal("a"), RegexArena::kAnything), regexes.Literal("ba")));
  EXPECT_THAT(BuildRule(std::move(disjoint), both), refused);
}

TEST(GrammarBuilderTest, UnorderedMembers) {
  GrammarBuilder builder;
  const NodeId a = builder.Text("a");
  const NodeId b = builder.Text("b");
  const NodeId body = builder.Unordered({.members = {a, b},
                                         .required = 1,
                                         .extra = builder.Text("x"),
                                         .separator = builder.Text(","),
                                         .min = 2,
                                         .max = 3});
  const absl::StatusOr<Grammar> grammar = BuildRule(std::move(builder), body);
  ASSERT_THAT(grammar, IsOk());
  for (const char* text : {"a,b", "b,a", "x,a", "a,x,x", "x,b,a"}) {
    EXPECT_TRUE(ReferenceMatches(*grammar, text)) << text;
  }
  for (const char* text : {"", "a", "b,x", "a,a", "a,b,x,x", "a,b,", "b,b,a", "ab"}) {
    EXPECT_FALSE(ReferenceMatches(*grammar, text)) << text;
  }
}

}  // namespace
}  // namespace logitchain
