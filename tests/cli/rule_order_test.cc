#include "logitchain/cli/rule_order.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "logitchain/registry/chain_text.h"

namespace logitchain {
namespace {

using ::testing::TestWithParam;
using ::testing::ValuesIn;

absl::StatusOr<std::string> Reorder(const std::string& text, const std::vector<int>& order) {
  const absl::StatusOr<ChainText> chain = ParseChainText(text, "chain.textproto");
  if (!chain.ok()) return chain.status();
  return ReorderRules(text, *chain, order);
}

// A text whose two entries, or more, are put into the reverse order.
struct Case {
  std::string name;
  std::string before;
  std::string after;
};

class RuleOrderTest : public TestWithParam<Case> {
 protected:
  static std::vector<int> Reversed(const std::string& text) {
    std::vector<int> order(ParseChainText(text, "")->config.processors_size());
    std::iota(order.rbegin(), order.rend(), 0);
    return order;
  }
};

TEST_P(RuleOrderTest, MovesEntriesWithTheirComments) {
  const std::vector<int> order = Reversed(GetParam().before);
  const absl::StatusOr<std::string> after = Reorder(GetParam().before, order);
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(*after, GetParam().after);
}

TEST_P(RuleOrderTest, TheSameOrderChangesNothing) {
  const std::string& text = GetParam().before;
  std::vector<int> order = Reversed(text);
  std::reverse(order.begin(), order.end());
  const absl::StatusOr<std::string> after = Reorder(text, order);
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(*after, text);
}

TEST_P(RuleOrderTest, WindowsLineEndsStay) {
  const std::vector<std::pair<absl::string_view, absl::string_view>> kToWindows = {{"\n", "\r\n"}};
  const absl::StatusOr<std::string> after =
      Reorder(absl::StrReplaceAll(GetParam().before, kToWindows), Reversed(GetParam().before));
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(*after, absl::StrReplaceAll(GetParam().after, kToWindows));
}

INSTANTIATE_TEST_SUITE_P(
    All, RuleOrderTest,
    ValuesIn(std::vector<Case>{
        {"PlainLines",
         "processors { top_k { k: 2 } }\n"
         "processors { temperature { temperature: 2 } }\n",
         "processors { temperature { temperature: 2 } }\n"
         "processors { top_k { k: 2 } }\n"},
        {"NoNewlineAtTheEnd", "processors { top_k {} }\nprocessors { temperature {} }",
         "processors { temperature {} }\nprocessors { top_k {} }"},
        {"OtherFieldsStay",
         "dialect: SPEC\n"
         "processors { top_k {} }\n"
         "\n"
         "draw { seed: 1 }\n"
         "processors { temperature {} }\n"
         "order: DIALECT_ORDER\n",
         "dialect: SPEC\n"
         "processors { temperature {} }\n"
         "\n"
         "draw { seed: 1 }\n"
         "processors { top_k {} }\n"
         "order: DIALECT_ORDER\n"},
        {"CommentsAboveAndBehindMove",
         "# About top-k.\n"
         "# It keeps k.\n"
         "processors { top_k {} }  # all\n"
         "processors { temperature {} }# none\n",
         "processors { temperature {} }# none\n"
         "# About top-k.\n"
         "# It keeps k.\n"
         "processors { top_k {} }  # all\n"},
        {"ACommentBehindGoesOnBelow",
         "processors { top_k {} }  # all\n"
         "                         # of them\n"
         "# About temperature.\n"
         "processors { temperature {} }\n",
         "# About temperature.\n"
         "processors { temperature {} }\n"
         "processors { top_k {} }  # all\n"
         "                         # of them\n"},
        {"CommentsBehindAnEmptyLineStay",
         "# The file.\n"
         "\n"
         "processors { top_k {} }\n"
         "\n"
         "# The second part.\n"
         "\n"
         "# About temperature.\n"
         "processors { temperature {} }\n"
         "# The end.\n",
         "# The file.\n"
         "\n"
         "# About temperature.\n"
         "processors { temperature {} }\n"
         "\n"
         "# The second part.\n"
         "\n"
         "processors { top_k {} }\n"
         "# The end.\n"},
        {"WhatTheFileIsStays",
         "# proto-file: proto/chain.proto\n"
         "# proto-message: logitchain.ChainConfig\n"
         "# About top-k.\n"
         "processors { top_k {} }\n"
         "processors { temperature {} }\n",
         "# proto-file: proto/chain.proto\n"
         "# proto-message: logitchain.ChainConfig\n"
         "processors { temperature {} }\n"
         "# About top-k.\n"
         "processors { top_k {} }\n"},
        {"SeveralLinesAndIndentation",
         "  processors {\n"
         "    # Inside.\n"
         "    top_k { k: 5 }  # five\n"
         "  }\n"
         "processors: <\n"
         "  temperature {}\n"
         ">;\n",
         "processors: <\n"
         "  temperature {}\n"
         ">;\n"
         "  processors {\n"
         "    # Inside.\n"
         "    top_k { k: 5 }  # five\n"
         "  }\n"},
        {"TabsCountAsProtobufCounts",
         "\tprocessors\t{ top_k {} }\t# all\n"
         "processors { temperature {} }\t\t# none\n",
         "processors { temperature {} }\t\t# none\n"
         "\tprocessors\t{ top_k {} }\t# all\n"},
        {"CharactersOfSeveralBytes",
         "processors { plugin { type_url: \"é/ü\" } }  # ≤\n"
         "processors { temperature {} }  # größer\n",
         "processors { temperature {} }  # größer\n"
         "processors { plugin { type_url: \"é/ü\" } }  # ≤\n"},
        {"AHashInAStringIsNoComment",
         "processors { grammar_mask { provider: \"#}\" } }\n"
         "processors { temperature {} }\n",
         "processors { temperature {} }\n"
         "processors { grammar_mask { provider: \"#}\" } }\n"},
        {"EntriesOnOneLine", "processors { top_k {} } processors { temperature {} }\n",
         "processors { temperature {} } processors { top_k {} }\n"},
        {"AnotherFieldOnTheLine",
         "# proto-file: proto/chain.proto\n"
         "processors { top_k {  # Inside.\n"
         "} } dialect: SPEC\n"
         "draw { plugin { type_url: '#/\\'#' } }\n"
         "processors { temperature {} }\n",
         "# proto-file: proto/chain.proto\n"
         "processors { temperature {} } dialect: SPEC\n"
         "draw { plugin { type_url: '#/\\'#' } }\n"
         "processors { top_k {  # Inside.\n"
         "} }\n"},
        {"ThreeEntries",
         "processors { min_p {} }\n"
         "# top-p\n"
         "processors { top_p {} }\n"
         "processors { top_k {} }  # top-k\n",
         "processors { top_k {} }  # top-k\n"
         "# top-p\n"
         "processors { top_p {} }\n"
         "processors { min_p {} }\n"},
        {"AListOfEntries", "processors: [{ top_k { k: 1 } }, { temperature {} }]\n",
         "processors: [{ temperature {} }, { top_k { k: 1 } }]\n"},
        {"AListOverSeveralLines",
         "# About both.\n"
         "processors [\n"
         "  { top_k {  # Inside.\n"
         "  } },\n"
         "  < temperature {} >\n"
         "]  # Two.\n",
         "# About both.\n"
         "processors [\n"
         "  < temperature {} >,\n"
         "  { top_k {  # Inside.\n"
         "  } }\n"
         "]  # Two.\n"},
    }),
    [](const auto& info) { return info.param.name; });

// A comment would be left with the rule that comes to stand where it is.
TEST(ReorderRulesTest, RefusesAListAmongOtherEntriesOrWithCommentsInIt) {
  for (const std::string text :
       {"processors [\n  # About top-k.\n  { top_k {} }, { temperature {} }]\n",
        "processors [{ top_k {} },  # About top-k.\n  { temperature {} }]\n",
        "processors [{ top_k {} }, { temperature {} }  # About temperature.\n]\n",
        "processors { top_k {} }\nprocessors: [{ temperature {} }, { top_p {} }]\n",
        "processors: [{ temperature {} }, { top_p {} }]\nprocessors { top_k {} }\n"}) {
    std::vector<int> order(ParseChainText(text, "")->config.processors_size());
    std::iota(order.rbegin(), order.rend(), 0);
    const absl::StatusOr<std::string> after = Reorder(text, order);
    EXPECT_EQ(after.status(),
              absl::FailedPreconditionError("chain.textproto: the rules cannot be moved; write "
                                            "each as its own `processors { … }`"))
        << text;
  }
}

// So it would where a line has more than one rule; all other comments have lost their places too.
TEST(ReorderRulesTest, RefusesSharedLinesWhereThereAreComments) {
  constexpr char kMessage[] =
      " shares a line with another rule or with something else, so that no comment of the file can "
      "be told to be of one rule; the rules cannot be moved before each `processors { … }` has "
      "lines of its own";
  struct Shared {
    std::string text;
    std::string place;  // Of the first rule that shares a line, and its name.
  };
  for (const Shared& shared : std::vector<Shared>{
           {"processors { top_k {} } processors { temperature {} }  # two\n", "1:1: processors[0]"},
           {"# About both.\nprocessors { top_k {} } processors { temperature {} }\n",
            "2:1: processors[0]"},
           {"# The file.\n\nprocessors { top_k {} } processors { temperature {} }\n",
            "3:1: processors[0]"},
           {"processors { top_k {} } dialect: SPEC  # one\nprocessors { temperature {} }\n",
            "1:1: processors[0]"},
           {"processors { top_k {} } dialect: SPEC\n# Two.\nprocessors { temperature {} }\n",
            "1:1: processors[0]"},
           {"processors { top_k {} }  # All.\ndialect: SPEC processors { temperature {} }\n",
            "2:15: processors[1]"},
           {"processors { top_k {} }\ndialect: SPEC processors { temperature {} }\n# End.",
            "2:15: processors[1]"},
           {"processors: [{ top_k {} }]  # one\nprocessors: [{ temperature {} }]\n",
            "1:14: processors[0]"},
       }) {
    std::vector<int> order(ParseChainText(shared.text, "")->config.processors_size());
    std::iota(order.rbegin(), order.rend(), 0);
    EXPECT_EQ(
        Reorder(shared.text, order).status(),
        absl::FailedPreconditionError(absl::StrCat("chain.textproto:", shared.place, kMessage)))
        << shared.text;
  }
}

}  // namespace
}  // namespace logitchain
