#include "logitchain/registry/chain_text.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/tests/registry/test_configs.pb.h"
#include "logitchain/tests/testing/status_matchers.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kWhatToDo[] =
    "; link the target that registers it into this program, or have `logitchain` load it with "
    "--plugin; there are no plugins";

TEST(ParseChainTextTest, ReadsAChain) {
  const auto text = ParseChainText(R"pb(
                                     # proto-file: proto/chain.proto
                                     dialect: VLLM
                                     processors { top_k { k: 40 } }
                                     processors { top_p { p: 0.95 } }
                                     draw { seed: 18446744073709551615 }
                                   )pb",
                                   "chain.textproto");
  ASSERT_THAT(text, IsOk());
  EXPECT_EQ(text->filename, "chain.textproto");
  EXPECT_EQ(text->config.dialect(), ChainConfig::VLLM);
  EXPECT_EQ(text->config.processors(0).top_k().k(), 40);
  EXPECT_EQ(text->config.processors(1).top_p().p(), 0.95);
  EXPECT_EQ(text->config.draw().seed(), 18446744073709551615u);
}

TEST(ParseChainTextTest, AnEmptyTextIsAnEmptyChain) {
  const auto text = ParseChainText("", "chain.textproto");
  ASSERT_THAT(text, IsOk());
  EXPECT_EQ(text->config.ByteSizeLong(), 0);
}

struct BadText {
  std::string name;
  std::string text;
  std::string error;  // Behind "chain.textproto:".
};

class BadTextTest : public testing::TestWithParam<BadText> {};

INSTANTIATE_TEST_SUITE_P(
    , BadTextTest,
    testing::Values(
        BadText{"UnknownParameter", "processors {\n  temperature { temprature: 0.8 }\n}",
                "2:17: Message type \"logitchain.TemperatureConfig\" has no field named "
                "\"temprature\" (did you mean temperature?); it has temperature, "
                "allow_small_temperature"},
        BadText{
            "UnknownParameterUnlikeAnyOther", "processors { top_p { beam_width: 4 } }",
            "1:22: Message type \"logitchain.TopPConfig\" has no field named \"beam_width\"; it "
            "has p, crossing, min_keep"},
        BadText{
            "UnknownField", "temperature: 0.8",
            "1:1: Message type \"logitchain.ChainConfig\" has no field named \"temperature\"; it "
            "has dialect, order, processors, draw, on_bad_logits, logprobs"},
        BadText{"UnknownPlugin",
                "processors {\n  plugin { [type.googleapis.com/acme.BanDigits] {} }\n}",
                absl::StrCat("2:12: acme.BanDigits is not a registered rule", kWhatToDo)},
        BadText{"UnknownPluginLikeAnother",
                "processors { plugin { [type.googleapis.com/logitchain.TopConfig] {} } }",
                absl::StrCat("1:23: logitchain.TopConfig is not a registered rule (did you mean "
                             "logitchain.TopKConfig?)",
                             kWhatToDo)},
        BadText{"UnknownParameterOfAPlugin",
                "processors { plugin { [type.googleapis.com/logitchain_test.Scripted] "
                "{ strenght: 1 } } }",
                "1:72: Message type \"logitchain_test.Scripted\" has no field named \"strenght\" "
                "(did you mean strength?); it has strength, nested"},
        BadText{"ParameterOfAMessageWithoutAny",
                "processors { grammar_mask { json { indent: 2 } } }",
                "1:36: Message type \"logitchain.AnyJsonConfig\" has no field named \"indent\"; it "
                "has no fields"},
        BadText{"UnknownDialect", "dialect: LLAMA",
                "1:10: Unknown enumeration value of \"LLAMA\" for field \"dialect\"; it has SPEC, "
                "MINFER, "
                "LLAMA_CPP, HUGGING_FACE, VLLM"},
        BadText{"ADialectInSmallLetters", "dialect: llama_cp",
                "1:10: Unknown enumeration value of \"llama_cp\" for field \"dialect\" (did you "
                "mean LLAMA_CPP?); it has SPEC, MINFER, LLAMA_CPP, HUGGING_FACE, VLLM"},
        BadText{
            "ADialectAsAString", "dialect: 'SPEC'",
            "1:10: Expected integer or identifier, got: 'SPEC'; it has SPEC, MINFER, LLAMA_CPP, "
            "HUGGING_FACE, VLLM"},
        BadText{"AnUnknownOrder", "order: AS_LIST",
                "1:8: Unknown enumeration value of \"AS_LIST\" for field \"order\" (did you mean "
                "AS_LISTED?); it has DIALECT_ORDER, AS_LISTED"},
        BadText{"UnknownTies", "processors {\n\ttop_k { ties: KEEP }\n}",
                "2:23: Unknown enumeration value of \"KEEP\" for field \"ties\"; it has "
                "EXACTLY_K, KEEP_TIES"},
        BadText{"AnUnknownScope", "processors { repetition_penalty { scope: OUTPUT } }",
                "1:42: Unknown enumeration value of \"OUTPUT\" for field \"scope\"; it has "
                "PROMPT_AND_OUTPUT, OUTPUT_ONLY"},
        BadText{"AnUnknownGenerator", "draw { generator: PCG23 }",
                "1:19: Unknown enumeration value of \"PCG23\" for field \"generator\" (did you "
                "mean PCG32?); it has DIALECT_GENERATOR, PCG32, CHACHA12, MT19937"},
        BadText{"UnknownBadLogits", "on_bad_logits: remov",
                "1:16: Unknown enumeration value of \"remov\" for field \"on_bad_logits\" (did you "
                "mean REMOVE?); it has ERROR, REMOVE"},
        BadText{
            "ANegativeDialect", "dialect: -5",
            "1:10: Unknown enumeration value of \"-5\" for field \"dialect\"; it has SPEC, MINFER, "
            "LLAMA_CPP, HUGGING_FACE, VLLM"},
        BadText{"UnknownExtension", "draw { seed: 1 [acme.ext]: 2 }",
                "1:16: Extension \"acme.ext\" is not defined or is not an extension of "
                "\"logitchain.DrawConfig\""},
        BadText{"UnknownLogprobInAList", "logprobs: [RAW, -7]",
                "1:17: Unknown enumeration value of \"-7\" for field \"logprobs\"; it has RAW, "
                "PENALISED, "
                "PROCESSED"},
        BadText{"ANumberForABoolean",
                "processors { temperature { allow_small_temperature: maybe } }",
                "1:53: Invalid value for boolean field \"allow_small_temperature\". Value: "
                "\"maybe\""},
        BadText{"ATextForANumber", "processors { top_k { k: forty } }",
                "1:25: Expected integer, got: forty"},
        BadText{"AFractionForAnInteger", "processors { top_k { k: 4.5 } }",
                "1:25: Expected integer, got: 4.5"},
        BadText{"ANumberOutOfItsType", "draw { seed: 18446744073709551616 }",
                "1:14: Integer out of range (18446744073709551616)"},
        BadText{"ANegativeSeed", "draw { seed: -1 }", "1:14: Expected integer, got: -"},
        BadText{"AParameterTwice", "processors { top_k { k: 1 k: 2 } }",
                "1:27: Non-repeated field \"k\" is specified multiple times"},
        BadText{"TwoRulesInOneEntry", "processors {\n  top_k { k: 1 }\n  top_p { p: 0.5 }\n}",
                "3:3: Field \"top_p\" is specified along with field \"top_k\", another member of "
                "oneof \"rule\""},
        BadText{"TwoEndsOfTheChain", "draw { greedy {} categorical {} }",
                "1:18: Field \"categorical\" is specified along with field \"greedy\", another "
                "member of oneof \"terminal\""},
        BadText{"AnUnclosedMessage", "processors {\n  top_k { k: 1 }\n",
                "3:1: Expected identifier, got: "},
        BadText{"NoTextproto", "{\"top_k\": 40}", "1:1: Expected identifier, got: {"}),
    [](const auto& info) { return info.param.name; });

TEST(UnknownRuleTest, IsRefusedWithItsPlaceAndTheNamesThatThereAre) {
  EXPECT_THAT(
      ParseChainText("dialect: SPEC\nprocessors { topk { k: 5 } }", "chain.textproto"),
      StatusIs(
          absl::StatusCode::kInvalidArgument,
          StartsWith("chain.textproto:2:14: Message type \"logitchain.ProcessorConfig\" has no "
                     "field named \"topk\" (did you mean top_k?); it has grammar_mask, "
                     "repetition_penalty, presence_frequency_penalty, temperature, top_k")));
}

TEST_P(BadTextTest, IsRefusedWithItsPlace) {
  EXPECT_THAT(ParseChainText(GetParam().text, "chain.textproto"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       absl::StrCat("chain.textproto:", GetParam().error)));
}

// What is wrong with a name or value does not keep the parser from what comes behind it.
TEST(ParseChainTextTest, EveryErrorIsReported) {
  const std::string text =
      "dialect: SPECK\n"
      "processors { topk { k: [1, 2] x { y: 3 } } }\n"
      "processors { top_k { k: -x n: 3 ties: FOO } }\n"
      "processors {\ttop_p { p: 'x' q: 1.5 } }\n"
      "logprobs: [RAW, ROW, -7]\n"
      "processors { temperature { allow_small_temperature: maybe } }\n"
      "draw { seed: 18446744073709551616 [acme.ext]: 2 }\n"
      "draw { seed: 1 ";
  const absl::Status status = ParseChainText(text, "f").status();
  std::vector<std::string> starts;
  for (const absl::string_view line : absl::StrSplit(status.message(), '\n')) {
    starts.emplace_back(line.substr(0, line.find(';')));
  }
  EXPECT_THAT(
      starts,
      ElementsAre("f:1:10: Unknown enumeration value of \"SPECK\" for field \"dialect\" (did you "
                  "mean SPEC?)",
                  "f:2:14: Message type \"logitchain.ProcessorConfig\" has no field named \"topk\" "
                  "(did you "
                  "mean top_k?)",
                  "f:3:26: Expected integer, got: x",
                  "f:3:28: Message type \"logitchain.TopKConfig\" has no field named \"n\" (did "
                  "you mean k?)",
                  HasSubstr("f:3:39: Unknown enum"), HasSubstr("f:4:28: Expected double, got: 'x'"),
                  HasSubstr("f:4:32: Message type"), HasSubstr("f:5:17: Unknown enum"),
                  HasSubstr("f:5:22: Unknown enum"), HasSubstr("f:6:53: Invalid value for boolean"),
                  HasSubstr("f:7:14: Integer out of range"), HasSubstr("f:7:35: Extension"),
                  HasSubstr("f:8:1: Non-repeated field")));
}

TEST(ParseChainTextTest, ManyErrorsAreCut) {
  std::string text;
  for (int i = 0; i < 250; ++i) text += "processors { topk {} }\n";
  const absl::Status status = ParseChainText(text, "f").status();
  const std::vector<std::string> lines = absl::StrSplit(status.message(), '\n');
  ASSERT_THAT(lines, SizeIs(101));
  EXPECT_THAT(lines[99], StartsWith("f:100:14: "));
  EXPECT_EQ(lines[100], "… and 150 more");
}

TEST(ParseChainTextTest, AByteOrderMarkIsNoPartOfTheText) {
  const auto chain = ParseChainText(
      "\xEF\xBB\xBF"
      "dialect: VLLM",
      "f");
  ASSERT_THAT(chain, IsOk());
  EXPECT_EQ(chain->config.dialect(), ChainConfig::VLLM);
  EXPECT_THAT(std::string(ParseChainText("\xEF\xBB\xBF"
                                         "dialekt: VLLM",
                                         "f")
                              .status()
                              .message()),
              StartsWith("f:1:1: "));
  EXPECT_FALSE(ParseChainText("dialect: VLLM\xEF\xBB\xBF", "f").ok());
}

TEST(ParseChainTextTest, DeepNestingBehindAnErrorIsRefused) {
  std::string text = "dialect: FOO unknown";
  for (int i = 0; i < 200000; ++i) text += " {a";
  EXPECT_THAT(ParseChainText(text, "f"),
              StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("f:1:10: Unknown enum")));
}

TEST(ParseChainTextTest, ATextOfOneMebibyteIsReadAndALongerOneIsNot) {
  std::string text = "dialect: SPEC #";
  text.resize(kMaxConfigBytes, 'x');
  EXPECT_THAT(ParseChainText(text, "chain.textproto"), IsOk());
  text.push_back('x');
  EXPECT_THAT(ParseChainText(text, "chain.textproto"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "chain.textproto: the config has 1048577 bytes; at most 1048576 are "
                       "allowed"));
}

TEST(ParseChainTextTest, DeepNestingIsRefused) {
  const auto nested = [](int depth) {
    std::string text =
        absl::StrCat("processors { plugin { [type.googleapis.com/",
                     logitchain_test::Scripted::descriptor()->full_name(), "] { nested {");
    for (int i = 0; i < depth; ++i) text += " nested {";
    for (int i = 0; i < depth; ++i) text += "}";
    return text + "} } } }";
  };
  EXPECT_THAT(ParseChainText(nested(10), "chain.textproto"), IsOk());
  for (const int depth : {100, 100000}) {
    EXPECT_THAT(ParseChainText(nested(depth), "chain.textproto"),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(StartsWith("chain.textproto:1:"), HasSubstr("too deep"))));
  }
}

TEST(ParseChainTextTest, DeepNestingOfPluginsInPluginsIsRefused) {
  std::string text = "processors { plugin {";
  for (int i = 0; i < 10000; ++i) text += " [type.googleapis.com/google.protobuf.Any] {";
  for (int i = 0; i < 10000; ++i) text += "}";
  EXPECT_THAT(ParseChainText(text + "} }", "chain.textproto"),
              StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("chain.textproto:1:")));
}

TEST(ParseChainTextTest, BytesThatAreNoTextAreRefused) {
  const std::string bytes("\0\xff\xfe\x01", 4);
  EXPECT_THAT(ParseChainText(bytes, "chain.textproto"),
              StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("chain.textproto:1:")));
}

// --- Places
// ---------------------------------------------------------------------------------------

class PlacesTest : public testing::Test {
 protected:
  // Line 1 is the comment.
  const ChainText text_ =
      ParseChainText(
          "# A chain.\n"
          "processors { top_k { k: 40 } }\n"
          "processors {\n"
          "  grammar_mask { banned_ids: 1 banned_ids: [2, 30] }\n"
          "}\n"
          "processors { plugin { [type.googleapis.com/logitchain_test.Scripted] "
          "{\n"
          "    strength: 0.5 nested { x: 1 }\n"
          "} } }\n"
          "draw {\n"
          "  seed: 7\n"
          "}\n",
          "chain.textproto")
          .value();

  // The text that a range covers.
  std::string Covered(const std::string& path) const {
    const auto found = text_.ranges.find(path);
    if (found == text_.ranges.end()) return "nothing";
    const auto [begin, end] = found->second;
    if (begin.line != end.line) return absl::StrCat("lines ", begin.line, " to ", end.line);
    return absl::StrCat(begin.line, ":", begin.column, "-", end.column);
  }
};

TEST_F(PlacesTest, EveryFieldHasARange) {
  EXPECT_EQ(Covered("processors[0]"), "2:1-31");
  EXPECT_EQ(Covered("processors[0].top_k"), "2:14-29");
  EXPECT_EQ(Covered("processors[0].top_k.k"), "2:22-27");
  EXPECT_EQ(Covered("processors[1]"), "lines 3 to 5");
  EXPECT_EQ(Covered("processors[1].grammar_mask.banned_ids[0]"), "4:18-31");
  EXPECT_EQ(Covered("draw.seed"), "10:3-10");
  EXPECT_EQ(Covered("processors[0].top_k.min_keep"), "nothing");
}

TEST_F(PlacesTest, EachElementOfAListHasItsOwn) {
  EXPECT_EQ(Covered("processors[1].grammar_mask.banned_ids[1]"), "4:45-46");
  EXPECT_EQ(Covered("processors[1].grammar_mask.banned_ids[2]"), "4:48-50");
}

TEST_F(PlacesTest, FieldsOfAPluginToo) {
  EXPECT_EQ(Covered("processors[2].plugin[logitchain_test.Scripted].strength"), "7:5-18");
  EXPECT_EQ(Covered("processors[2].plugin[logitchain_test.Scripted].nested.x"), "7:28-32");
}

TEST_F(PlacesTest, DescribeSaysWhereTheFieldStands) {
  EXPECT_EQ(text_.Describe({"processors[0].top_k.k", "is 40; it must be odd"}),
            "chain.textproto:2:22: processors[0].top_k.k is 40; it must be odd");
  EXPECT_EQ(text_.Describe({"processors[2].plugin[logitchain_test.Scripted].strength",
                            "is 0.5; it must be 1"}),
            "chain.textproto:7:5: processors[2].plugin[logitchain_test.Scripted].strength is 0.5; "
            "it must be 1");
}

TEST_F(PlacesTest, DescribeOfAFieldThatIsNotSetSaysWhereItWouldStand) {
  EXPECT_EQ(text_.Describe({"processors[0].top_k.min_keep", "is missing"}),
            "chain.textproto:2:14: processors[0].top_k.min_keep is missing");
  EXPECT_EQ(text_.Describe({"processors[1].grammar_mask.allowed_ids[7]", "is missing"}),
            "chain.textproto:4:3: processors[1].grammar_mask.allowed_ids[7] is missing");
  EXPECT_EQ(text_.Describe({"draw.generator", "is missing"}),
            "chain.textproto:9:1: draw.generator is missing");
}

TEST_F(PlacesTest, DescribeOfTheWholeHasNoPlace) {
  EXPECT_EQ(text_.Describe({"", "the vocabulary has 0 tokens"}),
            "chain.textproto: the vocabulary has 0 tokens");
  EXPECT_EQ(text_.Describe({"order", "is odd"}), "chain.textproto: order is odd");
}

// Lists and single entries of one field count together.
TEST(PlacesOfAListTest, EachMessageHasItsOwn) {
  const ChainText text = ParseChainText(
                             "processors { top_k {} }\n"
                             "processors: [{ top_p { p: 1 } }, <\n"
                             "  min_p { p: 0 } >]\n"
                             "processors { temperature {} };\n"
                             "logprobs: [] logprobs: RAW\n",
                             "chain.textproto")
                             .value();
  EXPECT_EQ(text.Describe({"processors[0]", "is"}), "chain.textproto:1:1: processors[0] is");
  EXPECT_EQ(text.Describe({"processors[1]", "is"}), "chain.textproto:2:14: processors[1] is");
  EXPECT_EQ(text.Describe({"processors[1].top_p.p", "is"}),
            "chain.textproto:2:24: processors[1].top_p.p is");
  EXPECT_EQ(text.Describe({"processors[2]", "is"}), "chain.textproto:2:34: processors[2] is");
  EXPECT_EQ(text.Describe({"processors[2].min_p", "is"}),
            "chain.textproto:3:3: processors[2].min_p is");
  EXPECT_EQ(text.Describe({"processors[3]", "is"}), "chain.textproto:4:1: processors[3] is");
  EXPECT_EQ(text.Describe({"logprobs[0]", "is"}), "chain.textproto:5:14: logprobs[0] is");
}

// Whatever a field is called, and whatever its value looks like.
TEST(PlacesOfOddFieldsTest, AreThoseOfTheirNames) {
  const ChainText text =
      ParseChainText(
          "processors { plugin { [type.googleapis.com/logitchain_test.EveryField] {\n"
          "  text: 'a' \"b\"  ranged_int32: -1, free_by_name { key: 'x' value: 2 };\n"
          "  Odd { x: 1 } [logitchain_test.extra]: 3 } } }\n"
          "processors { plugin { type_url: 'a/b' } }\n",
          "chain.textproto")
          .value();
  const std::string plugin = "processors[0].plugin[logitchain_test.EveryField]";
  const auto begin = [&text](const std::string& path) {
    const auto found = text.ranges.find(path);
    if (found == text.ranges.end()) return std::string("nowhere");
    return absl::StrCat(found->second.begin.line, ":", found->second.begin.column);
  };
  EXPECT_EQ(begin(plugin), "1:23");
  EXPECT_EQ(begin(plugin + ".text"), "2:3");
  EXPECT_EQ(begin(plugin + ".ranged_int32"), "2:18");
  EXPECT_EQ(begin(plugin + ".free_by_name[0].value"), "2:60");
  EXPECT_EQ(begin(plugin + ".odd.x"), "3:9");
  EXPECT_EQ(begin(plugin + ".extra"), "3:16");
  EXPECT_EQ(begin("processors[1].plugin.type_url"), "4:23");
}

// --- Files
// ----------------------------------------------------------------------------------------

TEST(ReadChainFileTest, ReadsAFile) {
  const TempFolder folder;
  const auto text = ReadChainFile(folder.Write("a.textproto", "draw { seed: 7 }"));
  ASSERT_THAT(text, IsOk());
  EXPECT_EQ(text->config.draw().seed(), 7);
}

TEST(ReadChainFileTest, ErrorsStartWithThePath) {
  const TempFolder folder;
  const std::string path = folder.Write("a.textproto", "draw { sed: 7 }");
  EXPECT_THAT(ReadChainFile(path), StatusIs(absl::StatusCode::kInvalidArgument,
                                            StartsWith(absl::StrCat(path, ":1:8: "))));
}

TEST(ReadChainFileTest, AMissingFileIsNotFound) {
  const TempFolder folder;
  EXPECT_THAT(
      ReadChainFile(folder.Path("none")),
      StatusIs(absl::StatusCode::kNotFound,
               absl::StrCat(folder.Path("none"), ": cannot open: No such file or directory")));
}

TEST(ReadChainFileTest, AFolderIsNoFile) {
  const TempFolder folder;
  EXPECT_THAT(ReadChainFile(folder.Path(".")),
              StatusIs(absl::StatusCode::kDataLoss, EndsWith("cannot read: Is a directory")));
}

TEST(ReadChainFileTest, AHugeFileIsRefused) {
  const TempFolder folder;
  EXPECT_THAT(
      ReadChainFile(folder.Write("a.textproto", std::string(2 * kMaxConfigBytes, '#'))),
      StatusIs(absl::StatusCode::kInvalidArgument, EndsWith("bytes; at most 1048576 are allowed")));
  EXPECT_THAT(ReadChainFile("/dev/zero"), Not(IsOk()));
}

}  // namespace
}  // namespace logitchain
