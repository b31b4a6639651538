#include "logitchain/docs/rules_page.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/stage.h"
#include "logitchain/docs/proto_comments.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"
#include "logitchain/tests/testing/golden_file.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

ProtoComments Comments() { return ProtoComments::Read("proto/comments.binpb").value(); }

TEST(RulesPageTest, IsCurrent) {
  const auto page = RulesPage(ProcessorRegistry::Global(), Comments());
  ASSERT_THAT(page, IsOk());
  // Not EXPECT_EQ, whose output would hide the command.
  EXPECT_TRUE(*page == ReadTestFile("docs/rules.md"))
      << "docs/rules.md is not what the protos say; to rewrite it: bazel run "
         "//docs:write_rules_page";
}

TEST(RulesPageTest, HasEveryBuiltInRuleAndTerminal) {
  const std::string page = RulesPage(ProcessorRegistry::Global(), Comments()).value();
  for (const auto* oneof : {ProcessorConfig::descriptor()->FindOneofByName("rule"),
                            DrawConfig::descriptor()->FindOneofByName("terminal")}) {
    for (int i = 0; i < oneof->field_count(); ++i) {
      if (oneof->field(i)->name() == "plugin") continue;
      EXPECT_THAT(page, HasSubstr(absl::StrCat("\n### ", oneof->field(i)->name(), "\n")));
    }
  }
}

void BuildNothing(const ChainConfig&, BuildContext&) {}

TEST(RulesPageTest, NamesWhatCommentsLack) {
  ProcessorRegistry registry;
  ASSERT_THAT(registry.Register(MakeProcessorEntry(&BuildNothing, {.stage = Stage::kBias}, "test")),
              IsOk());
  EXPECT_THAT(RulesPage(registry, Comments()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("logitchain.ChainConfig.dialect has no comment\n")));
  EXPECT_THAT(RulesPage(registry, Comments()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("logitchain.ChainConfig has no paragraph \"Cost:\"\n")));
}

TEST(ProtoCommentsTest, AreThoseOfMessagesAndFields) {
  EXPECT_EQ(Comments().Of("logitchain.TopKConfig.k"), " Number of tokens to keep.\n");
  EXPECT_THAT(Comments().Of("logitchain.SequenceBiasConfig.Sequence.bias"),
              HasSubstr(" Added to the logit"));
  EXPECT_THAT(Comments().Of("logitchain.TopKConfig"), HasSubstr("\n Cost: "));
  EXPECT_EQ(Comments().Of("logitchain.NoSuchConfig"), "");
}

TEST(ProtoCommentsTest, AFileThatIsNoneIsAnError) {
  EXPECT_THAT(ProtoComments::Read("docs/none"),
              StatusIs(absl::StatusCode::kNotFound, "docs/none: cannot open"));
  EXPECT_THAT(ProtoComments::Read("docs/rules.md"),
              StatusIs(absl::StatusCode::kDataLoss, "docs/rules.md: is no FileDescriptorSet"));
}

TEST(ProtoCommentsTest, ParsesParagraphsFormulasAndLabels) {
  const ProtoComment comment = ParseProtoComment(
      " Note: this is the\n first paragraph:\n   a = b\n     + c\n and it goes on.\n\n Cost: O(n)\n"
      " at most.\n\n Not a Label: text.\n");
  ASSERT_EQ(comment.blocks.size(), 4);
  EXPECT_EQ(comment.blocks[0].text, "Note: this is the first paragraph:");
  EXPECT_TRUE(comment.blocks[1].is_formula);
  EXPECT_EQ(comment.blocks[1].text, "a = b\n  + c");
  EXPECT_EQ(comment.blocks[2].text, "and it goes on.");
  EXPECT_EQ(comment.blocks[3].text, "Not a Label: text.");
  EXPECT_THAT(comment.labelled, ElementsAre(Pair("Cost", "O(n) at most.")));
  EXPECT_THAT(ParseProtoComment("").blocks, IsEmpty());
}

}  // namespace
}  // namespace logitchain
