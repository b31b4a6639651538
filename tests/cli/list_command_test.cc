#include "logitchain/cli/list_command.h"

#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/processor_registry.h"
#include "logitchain/tests/cli/command_result.h"
#include "logitchain/tests/testing/temp_folder.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;

std::string List(const std::vector<std::string>& arguments = {}) {
  std::vector<std::string> all = {"list"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const CommandResult result = Call(all);
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(result.err, "");
  return result.out;
}

json ListJson(const std::vector<std::string>& arguments = {}) {
  std::vector<std::string> all = arguments;
  all.push_back("--json");
  json parsed = json::parse(List(all), /*cb=*/nullptr, /*allow_exceptions=*/false);
  EXPECT_FALSE(parsed.is_discarded());
  return parsed;
}

std::vector<std::string> Lines(absl::string_view text) { return absl::StrSplit(text, '\n'); }

json RuleNamed(const json& list, absl::string_view name) {
  for (const json& rule : list.at("rules")) {
    if (rule.at("name") == std::string(name)) return rule;
  }
  ADD_FAILURE() << "no rule " << name;
  return json();
}

TEST(ListCommandTest, ShowsEveryRegisteredRule) {
  const json list = ListJson();
  std::vector<std::string> configs;
  for (const json& rule : list.at("rules")) configs.push_back(rule.at("config"));
  std::vector<std::string> expected = ProcessorRegistry::Global().Names();
  expected.insert(expected.end(), {"logitchain.GreedyDraw", "logitchain.CategoricalDraw"});
  EXPECT_THAT(configs, ::testing::UnorderedElementsAreArray(expected));
  for (const json& rule : list.at("rules")) {
    EXPECT_THAT(Lines(List()), Contains(absl::StrCat("  ", std::string(rule.at("name")), ": ",
                                                     std::string(rule.at("summary")))));
  }
}

TEST(ListCommandTest, ShowsEveryBuiltInRule) {
  const auto& rule = *ProcessorConfig::descriptor()->FindOneofByName("rule");
  for (int i = 0; i < rule.field_count(); ++i) {
    if (rule.field(i)->name() == "plugin") continue;
    EXPECT_THAT(List(), HasSubstr(absl::StrCat("\n  ", rule.field(i)->name(), ": ")));
  }
}

TEST(ListCommandTest, WhatItShowsOfARuleIsAChain) {
  const TempFolder folder;
  const json list = ListJson();
  for (const json& rule : list.at("rules")) {
    const std::string name = rule.at("name");
    const std::vector<std::string> lines = Lines(List({name}));
    const auto heading = absl::c_find(lines, "In a chain:");
    ASSERT_NE(heading, lines.end()) << name;
    const std::string chain = folder.Write("chain.textproto", *(heading + 1));
    EXPECT_EQ(Call({"lint", "--vocab_size=100", chain}).exit_code, 0) << *(heading + 1);
  }
}

TEST(ListCommandTest, EachRuleIsOneLineUnderItsStage) {
  const std::vector<std::string> lines = Lines(List());
  std::string stage;
  size_t rules = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i > 0 && lines[i - 1].empty()) stage = lines[i];
    const std::string name = lines[i].substr(0, lines[i].find(':'));
    if (i < 4 || name.size() < 3 || name.substr(0, 2) != "  ") continue;
    EXPECT_EQ(ListJson({name.substr(2)}).at("rules")[0].at("stage"), stage) << lines[i];
    ++rules;
  }
  const size_t own_terminals = 2;
  EXPECT_EQ(rules, ProcessorRegistry::Global().Names().size() + own_terminals);
}

TEST(ListCommandTest, TerminalsStandInTheDraw) {
  EXPECT_THAT(List(),
              HasSubstr("\ndraw\n  adaptive_p: draws, and favours tokens about as likely as "
                        "a target\n  categorical: draws from the distribution that the rules "
                        "leave\n  greedy: takes the most likely token\n  gumbel_max: "));
  EXPECT_THAT(Lines(List({"mirostat_v2"})),
              IsSupersetOf({"  stage       draw, after XTC (dialect SPEC)",
                            "  draw { mirostat_v2 { tau: 5 eta: 0.1 } }"}));
  EXPECT_THAT(List({"gumbel_max"}), HasSubstr("\n  draw { gumbel_max { } }\n"));
  EXPECT_THAT(List({"greedy"}), HasSubstr("\n  draw { greedy { } }\n"));
  EXPECT_EQ(ListJson({"gumbel_max"}).at("rules").at(0).at("plugin"), false);
}

TEST(ListCommandTest, ShowsParametersInColumns) {
  EXPECT_THAT(Lines(List({"top_k"})),
              IsSupersetOf({
                  "top_k: keeps the k most likely tokens",
                  "  stage       top-k, after top-n-sigma, before typical (dialect SPEC)",
                  "  config      logitchain.TopKConfig",
                  "  greedy      never removes the most likely token",
                  "  processors { top_k { k: 0 min_keep: 1 } }",
                  "  k         int64  [0, inf)              off at 0  default 0",
                  "  ties      enum   EXACTLY_K, KEEP_TIES",
                  "    unset: the dialect's",
                  "  min_keep  int32  [1, inf)                        default 1",
                  "  k  LLAMA_CPP: (-inf, inf); HUGGING_FACE: [1, inf)",
              }));
}

TEST(ListCommandTest, AllLinesFitOnAScreen) {
  for (const std::string& line : Lines(List())) EXPECT_THAT(line, SizeIs(::testing::Le(100u)));
}

TEST(ListCommandTest, PluginsAppearLikeBuiltIns) {
  EXPECT_THAT(Lines(List({"acme.BanDigits"})),
              IsSupersetOf({
                  "acme.BanDigits: bans the tokens that are digits",
                  "  stage       masks, before bias (dialect SPEC)",
                  "  processors { plugin { [type.googleapis.com/acme.BanDigits] "
                  "{ keep_years: true strength: 0.5 } } }",
                  "  keep_years        bool         true, false            default true",
                  "  strength          float        finite       off at 0  default 0.5",
                  "  words             string list  any",
                  "    unset: digits only",
                  "  exceptions.token  int32        [0, inf)",
                  "  exceptions.next   message      any",
              }));
  EXPECT_THAT(List(), HasSubstr("\nmasks\n  acme.BanDigits: bans"));
}

TEST(ListCommandTest, ADialectHasItsOwnOrderAndRanges) {
  EXPECT_THAT(List(), HasSubstr("presence/frequency, DRY, smoothing, temperature,"));
  const std::string minfer = List({"--dialect=MINFER"});
  EXPECT_LT(minfer.find("\nmin-p\n"), minfer.find("\ntemperature\n"));
  EXPECT_LT(List().find("\ntemperature\n"), List().find("\nmin-p\n"));
  EXPECT_THAT(List({"top_p", "--dialect", "minfer"}), HasSubstr("  p         double  (-inf, inf)"));
  EXPECT_THAT(List({"top_p"}), HasSubstr("  p         double  (0, 1]"));
}

TEST(ListCommandTest, JsonHasWhatTheTextHas) {
  const json list = ListJson({"--dialect=VLLM"});
  EXPECT_EQ(list.at("dialect"), "VLLM");
  EXPECT_EQ(list.at("stages").back(), "draw");
  const json penalty = RuleNamed(list, "presence_frequency_penalty");
  EXPECT_EQ(penalty.at("stage"), "presence/frequency");
  EXPECT_EQ(penalty.at("plugin"), false);
  EXPECT_EQ(penalty.at("parameters").at(0), json({{"name", "presence"},
                                                  {"type", "double"},
                                                  {"repeated", false},
                                                  {"range", "[-2, 2]"},
                                                  {"default", "0"},
                                                  {"off", "0"}}));
  EXPECT_THAT(penalty.at("parameters").at(3).at("values"),
              ElementsAre("PROMPT_AND_OUTPUT", "OUTPUT_ONLY"));
  EXPECT_EQ(RuleNamed(list, "acme.BanDigits").at("plugin"), true);
}

TEST(ListCommandTest, JsonOfOneRule) {
  EXPECT_THAT(ListJson({"top_k"}).at("rules"), SizeIs(1));
  EXPECT_EQ(ListJson({"logitchain.TopKConfig"}), ListJson({"top_k"}));
}

TEST(ListCommandTest, UnknownNamesAreUsageErrors) {
  const CommandResult rule = Call({"list", "topk"});
  EXPECT_EQ(rule.exit_code, 2);
  EXPECT_THAT(rule.err, HasSubstr("logitchain list: there is no rule \"topk\" (did you mean top_k?)"
                                  "; there are acme.BanDigits, "));
  const CommandResult dialect = Call({"list", "--dialect=LAMA_CPP"});
  EXPECT_EQ(dialect.exit_code, 2);
  EXPECT_EQ(dialect.err,
            "logitchain list: there is no dialect \"LAMA_CPP\" (did you mean LLAMA_CPP?); there "
            "are SPEC, MINFER, LLAMA_CPP, HUGGING_FACE, VLLM; see `logitchain list --help`\n");
  const CommandResult extra = Call({"list", "top_k", "top_p"});
  EXPECT_EQ(extra.exit_code, 2);
  EXPECT_THAT(extra.err, HasSubstr("there is no use for the argument \"top_p\""));
}

}  // namespace
}  // namespace logitchain
