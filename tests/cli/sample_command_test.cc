#include "logitchain/cli/sample_command.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/cli/command_result.h"
#include "logitchain/tests/cli/npy_file.h"
#include "logitchain/tests/testing/golden_file.h"
#include "logitchain/tests/testing/temp_folder.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// The spec's hand example: with seed 0 it gives id 3.
constexpr char kChain[] =
    "processors { top_k { k: 3 } }\n"
    "processors { top_p { p: 0.8 } }\n";
const std::vector<float> kLogits = {1, 3, 2, 3, -1};

class SampleCommandTest : public testing::Test {
 protected:
  // `logitchain sample` with these files and flags.
  CommandResult Sample(const std::string& chain, const std::vector<std::vector<float>>& rows,
                       const std::vector<std::string>& flags = {}) const {
    std::vector<std::string> arguments = {
        "sample", absl::StrCat("--chain=", folder_.Write("chain.textproto", chain)),
        absl::StrCat("--logits=", WriteNpy(folder_, "logits.npy", rows))};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return Call(arguments);
  }

  static std::vector<json> Tokens(const CommandResult& result) {
    EXPECT_EQ(result.exit_code, 0) << result;
    EXPECT_EQ(result.err, "");
    return JsonLines(result.out);
  }

  static std::vector<int64_t> Ids(const CommandResult& result) {
    std::vector<int64_t> ids;
    for (const json& token : Tokens(result)) ids.push_back(token.at("id"));
    return ids;
  }

  // An error of the run, with the folder's name taken out.
  std::string Error(const CommandResult& result, int exit_code = 1) const {
    EXPECT_EQ(result.exit_code, exit_code) << result;
    return absl::StrJoin(absl::StrSplit(result.err, folder_.Path("")), "");
  }

  TempFolder folder_;
};

TEST_F(SampleCommandTest, TellsOnceWhatTextsNeed) {
  const CommandResult result = Sample(
      "processors { dry { multiplier: 1 sequence_breaker_texts: ['a', 'b', 'c'] } }", {{1, 2}});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(std::vector<std::string>(absl::StrSplit(result.err, '\n')),
              ElementsAre(HasSubstr("dry.sequence_breaker_texts need a vocabulary"), ""));
}

TEST_F(SampleCommandTest, AVocabularyIsForRulesAboutTexts) {
  const std::string chain = "processors { grammar_mask { regex: 'ab' } } draw { greedy {} }";
  const std::string vocab = folder_.Write("vocab.json", R"({
    "model": {"byte_fallback": true, "vocab": {"b": 0, "a": 1}}})");
  const std::vector<std::vector<float>> rows = {{9, 1, 9}, {1, 9, 9}};
  EXPECT_THAT(Sample(chain, rows, {"--vocab", vocab, "--json"}).out,
              AllOf(HasSubstr(R"("step":0,"id":1,)"), HasSubstr(R"("step":1,"id":0,)")));
  EXPECT_THAT(Error(Sample(chain, rows)), HasSubstr("to `logitchain sample` with --vocab"));
  EXPECT_THAT(Error(Sample(chain, {{1}}, {"--vocab", vocab})),
              HasSubstr("--vocab: vocab.json has 2 tokens; the logits have 1 columns"));
}

TEST_F(SampleCommandTest, PrintsATable) {
  const CommandResult result = Sample(kChain, {kLogits, kLogits});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out,
            "step  id  penalised logprob  kept           u\n"
            "   0   3          -0.924866     2    0.802095\n"
            "   1   3          -0.924866     2    0.575308\n");
  EXPECT_EQ(result.err, "");
}

TEST_F(SampleCommandTest, TheProbabilityComesWithTheProcessedLogprob) {
  EXPECT_EQ(Sample(kChain, {kLogits}, {"--logprobs=processed"}).out,
            "step  id  probability  processed logprob  kept           u\n"
            "   0   3     0.500000          -0.693147     2    0.802095\n");
}

TEST_F(SampleCommandTest, TheTableSaysWhatIsGreedy) {
  EXPECT_THAT(Sample(kChain, {kLogits}, {"--greedy", "--logprobs=none"}).out,
              "step  id  kept           u\n"
              "   0   1     1      greedy\n");
}

TEST_F(SampleCommandTest, JsonIsExact) {
  const std::vector<json> tokens =
      Tokens(Sample(kChain, {kLogits}, {"--json", "--logprobs=raw,penalised,processed"}));
  ASSERT_THAT(tokens, SizeIs(1));
  EXPECT_EQ(tokens[0], json({{"step", 0},
                             {"id", 3},
                             {"probability", 0.5},
                             {"raw_logprob", tokens[0].at("penalised_logprob")},
                             {"penalised_logprob", tokens[0].at("penalised_logprob")},
                             {"processed_logprob", std::log(0.5)},
                             {"kept", 2},
                             {"greedy", false},
                             {"u", 0x1.9aac30ff7d566p-1}}));
  EXPECT_NEAR(double{tokens[0].at("penalised_logprob")}, -0.92487, 1e-5);
}

TEST_F(SampleCommandTest, JsonOfAGreedyTokenHasNoUniform) {
  const std::vector<json> tokens = Tokens(Sample(kChain, {kLogits}, {"--json", "--greedy"}));
  ASSERT_THAT(tokens, SizeIs(1));
  EXPECT_EQ(tokens[0].at("id"), 1);
  EXPECT_EQ(tokens[0].at("greedy"), true);
  EXPECT_EQ(tokens[0].at("kept"), 1);
  EXPECT_TRUE(tokens[0].at("u").is_null());
}

std::string ChainOf(const json& params, uint64_t seed) {
  const auto number = [&params](const char* name) { return params.at(name).dump(); };
  return absl::StrCat(
      "processors { repetition_penalty { penalty: ", number("repetition_penalty"), " } }\n",
      "processors { presence_frequency_penalty { presence: ", number("presence_penalty"),
      " frequency: ", number("frequency_penalty"), " } }\n",
      "processors { temperature { temperature: ", number("temperature"), " } }\n",
      "processors { top_k { k: ", number("top_k"), " } }\n",
      "processors { top_p { p: ", number("top_p"), " } }\n",
      "processors { min_p { p: ", number("min_p"), " } }\n", "draw { seed: ", seed, " }\n");
}

TEST_F(SampleCommandTest, GivesTheGoldenTokensAndLogprobsToTheBit) {
  int compared = 0;
  const json file = ReadGoldenJson("spec_sampler_golden.json");
  for (const json& golden : file.at("cases")) {
    std::vector<float> row;
    for (const json& logit : golden.at("logits")) {
      row.push_back(std::strtof(std::string(logit).c_str(), nullptr));
    }
    const std::string prompt = absl::StrJoin(
        golden.at("prompt"), ",",
        [](std::string* out, const json& id) { absl::StrAppend(out, id.get<int>()); });
    const std::vector<json> tokens =
        Tokens(Sample(ChainOf(golden.at("params"), golden.at("seed")), {row},
                      {"--json", "--steps=12", "--prompt_ids", prompt}));
    ASSERT_THAT(tokens, SizeIs(12)) << golden.at("name");
    for (int i = 0; i < 12; ++i, ++compared) {
      EXPECT_EQ(tokens[i].at("step"), i);
      EXPECT_EQ(tokens[i].at("id"), golden.at("ids").at(i)) << golden.at("name") << " step " << i;
      EXPECT_EQ(double{tokens[i].at("penalised_logprob")}, double{golden.at("logprobs").at(i)})
          << golden.at("name") << " step " << i;
    }
  }
  EXPECT_EQ(compared, 144);
}

TEST_F(SampleCommandTest, TakesARowAStep) {
  const std::vector<std::vector<float>> rows = {{9, 0, 0}, {0, 9, 0}, {0, 0, 9}};
  EXPECT_THAT(Ids(Sample("", rows, {"--json", "--greedy"})), ElementsAre(0, 1, 2));
  EXPECT_THAT(Ids(Sample("", rows, {"--json", "--greedy", "--steps=2"})), ElementsAre(0, 1));
  EXPECT_EQ(Error(Sample("", rows, {"--steps=4"})),
            "logitchain sample: logits.npy: has 3 rows; --steps asks for 4\n");
}

TEST_F(SampleCommandTest, DrawnTokensEnterTheHistory) {
  EXPECT_THAT(Ids(Sample("processors { presence_frequency_penalty { presence: 5 } }", {{9, 8, 7}},
                         {"--json", "--greedy", "--steps=4"})),
              ElementsAre(0, 1, 2, 0));
}

TEST_F(SampleCommandTest, ThePromptIsSeenByPenalties) {
  const std::string chain = "processors { repetition_penalty { penalty: 2 } }";
  const std::vector<std::string> flags = {"--json", "--greedy", "--prompt_ids"};
  const auto ids = [&](const std::string& prompt) {
    std::vector<std::string> all = flags;
    all.push_back(prompt);
    return Ids(Sample(chain, {{9, 8, 7}}, all));
  };
  EXPECT_THAT(ids(""), ElementsAre(0));
  EXPECT_THAT(ids("0"), ElementsAre(1));
  EXPECT_THAT(ids("0, 1"), ElementsAre(2));
  EXPECT_THAT(ids(absl::StrCat("@", folder_.Write("ids.txt", "0\n1\r\n"))), ElementsAre(2));
}

TEST_F(SampleCommandTest, IdsOutsideTheVocabularyPassWhereTheDialectLetsThem) {
  const std::string chain =
      "dialect: MINFER\n"
      "processors { repetition_penalty { penalty: 2 window: 2 } }";
  const auto ids = [&](const std::string& prompt) {
    return Ids(Sample(chain, {{9, 8, 7}}, {"--json", "--greedy", "--prompt_ids", prompt}));
  };
  EXPECT_THAT(ids("0,4294967295"), ElementsAre(1));
  EXPECT_THAT(ids("0,4294967295,3"), ElementsAre(0)) << "they hold their places";
  EXPECT_EQ(Error(Sample(chain, {{9, 8, 7}}, {"--prompt_ids=4294967296"}), 2),
            "logitchain sample: --prompt_ids: id 0 (counted from 0) is \"4294967296\"; it must be "
            "a whole number from 0 to 4294967295; see `logitchain sample --help`\n");
}

TEST_F(SampleCommandTest, TheSeedCanBeSet) {
  const std::vector<std::vector<float>> rows(20, kLogits);
  const std::vector<int64_t> by_file = Ids(Sample("draw { seed: 5 }", rows, {"--json"}));
  EXPECT_EQ(Ids(Sample("", rows, {"--json", "--seed=5"})), by_file);
  EXPECT_NE(Ids(Sample("draw { seed: 5 }", rows, {"--json", "--seed=6"})), by_file);
}

TEST_F(SampleCommandTest, LogprobsOfTheChainAreTheDefault) {
  const auto names = [&](const std::string& chain, const std::vector<std::string>& flags) {
    std::vector<std::string> all = {"--json"};
    all.insert(all.end(), flags.begin(), flags.end());
    std::vector<std::string> found;
    const json token = Tokens(Sample(chain, {kLogits}, all)).at(0);
    for (const auto& [name, value] : token.items()) {
      if (name.find("logprob") != name.npos) found.push_back(name);
    }
    return found;
  };
  EXPECT_THAT(names("", {}), ElementsAre("penalised_logprob"));
  EXPECT_THAT(names("logprobs: RAW", {}), ElementsAre("raw_logprob"));
  EXPECT_THAT(names("logprobs: RAW", {"--logprobs=processed"}), ElementsAre("processed_logprob"));
  EXPECT_THAT(names("logprobs: RAW", {"--logprobs=none"}), IsEmpty());
  EXPECT_THAT(Error(Sample("", {kLogits}, {"--logprobs=raw,penalized"}), 2),
              HasSubstr("--logprobs has \"penalized\" (did you mean penalised?); it takes raw, "
                        "penalised and processed"));
}

TEST_F(SampleCommandTest, ErrorsOfLogitsNameTheStep) {
  const CommandResult result = Sample("", {{1, 2}, {1, kNan}}, {"--json"});
  const std::vector<json> before = JsonLines(result.out);
  ASSERT_THAT(before, SizeIs(1));
  EXPECT_EQ(before[0].at("step"), 0);
  EXPECT_THAT(Error(result), HasSubstr("logitchain sample: logits.npy: step 1: "));
  EXPECT_THAT(Error(result), HasSubstr("the logit of token 1 is nan"));
  EXPECT_THAT(Error(Sample("", {{-kInf, -kInf}})), HasSubstr("logits.npy: step 0: "));
}

TEST_F(SampleCommandTest, ErrorsOfPromptIdsNameThem) {
  EXPECT_EQ(Error(Sample("", {{1, 2}}, {"--prompt_ids=0,1,2"})),
            "logitchain sample: --prompt_ids: id 2 (counted from 0) is 2; the logits have a "
            "vocabulary of 2, ids 0 to 1\n");
  EXPECT_THAT(Error(Sample("", {{1, 2}}, {"--prompt_ids=1,-1"}), 2),
              HasSubstr("--prompt_ids: id 1 (counted from 0) is \"-1\"; it must be"));
  EXPECT_THAT(Error(Sample("", {{1, 2}}, {"--prompt_ids=@" + folder_.Write("ids", "0 one")})),
              HasSubstr("logitchain sample: ids: id 1 (counted from 0) is \"one\"; it must be"));
  EXPECT_THAT(Error(Sample("", {{1, 2}}, {"--prompt_ids=@" + folder_.Path("none")})),
              HasSubstr("none: No such file"));
  EXPECT_THAT(Error(Sample("", {{1, 2}}, {"--prompt_ids=1,x"}), 2),
              HasSubstr("id 1 (counted from 0) is \"x\"; it must be a whole number from 0 to 1;"));
  EXPECT_THAT(Error(Sample("dialect: MINFER", {{1, 2}}, {"--prompt_ids=-1"}), 2),
              HasSubstr("it must be a whole number from 0 to 4294967295;"));
  EXPECT_THAT(Error(Sample("", {{1, 2}}, {"--prompt_ids=1,0,"}), 2),
              HasSubstr("--prompt_ids: ends with a comma;"));
  EXPECT_THAT(Error(Sample("", {{1, 2}}, {"--prompt_ids=@"}), 2),
              HasSubstr("the file of --prompt_ids is \"\"; it must be the name of a file;"));
}

TEST_F(SampleCommandTest, ErrorsOfTheChainAreAllPrinted) {
  EXPECT_EQ(Error(Sample("processors { top_k { k: -1 } }\nprocessors { top_p { p: 2 } }", {{1}})),
            "logitchain sample: chain.textproto:1:22: processors[0].top_k.k is -1; it must be in "
            "[0, inf)\n"
            "logitchain sample: chain.textproto:2:22: processors[1].top_p.p is 2; it must be in "
            "(0, 1]\n");
  EXPECT_THAT(Error(Sample("processors {\n  grammar_mask { banned_ids: 2 } }", {{1, 2}})),
              HasSubstr("chain.textproto:2:18: "));
  EXPECT_THAT(Error(Sample("dialect: LLAMA_CPP\ndraw { seed: 1 }", {{1}}, {"--seed=4294967296"})),
              HasSubstr("--seed: draw.seed is 4294967296; "));
}

TEST_F(SampleCommandTest, BadFilesAreRefused) {
  const std::string chain = "--chain=" + folder_.Write("c.textproto", "");
  const std::string good = WriteNpy(folder_, "good.npy", {{1, 2}});
  const std::string bytes = folder_.Read("good.npy");
  const std::string cut = folder_.Write("cut.npy", bytes.substr(0, bytes.size() - 1));
  EXPECT_EQ(Error(Call({"sample", chain, "--logits=" + cut})),
            "logitchain sample: cut.npy: has 7 bytes of data; 1 row of 2 float32 numbers take "
            "8\n");
  EXPECT_THAT(Error(Call({"sample", chain, "--logits=" + folder_.Path("none.npy")})),
              HasSubstr("none.npy: No such file"));
  EXPECT_THAT(Error(Call({"sample", chain, "--logits=" + folder_.Write("text.npy", "1 2 3")})),
              HasSubstr("text.npy: "));
  EXPECT_THAT(Error(Call({"sample", "--chain=" + folder_.Path("none"), "--logits=" + good})),
              HasSubstr("none: cannot open: No such file"));
}

TEST_F(SampleCommandTest, BadCallsAreUsageErrors) {
  EXPECT_EQ(Error(Call({"sample"}), 2),
            "logitchain sample: --chain=FILE and --logits=FILE.npy are missing; see `logitchain "
            "sample --help`\n");
  EXPECT_THAT(Error(Call({"sample", "--chain=a", "--logits=b", "--steps=0"}), 2),
              HasSubstr("--steps is \"0\"; it must be a whole number from 1 to 1048576"));
  EXPECT_THAT(Error(Sample("", {{1, 2}}, {"--prompt_ids=1,,0"}), 2),
              HasSubstr("--prompt_ids: has nothing between two commas, behind 1 id"));
  EXPECT_THAT(Error(Call({"sample", "--chain=", "--logits=b"}), 2),
              HasSubstr("--chain is \"\"; it must be the name of a file"));
  EXPECT_THAT(Error(Call({"sample", "--chian=a", "--logits=b"}), 2),
              HasSubstr("there is no flag --chian (did you mean --chain?)"));
  EXPECT_THAT(Error(Call({"sample", "--chain=a", "--logits=b", "c"}), 2),
              HasSubstr("there is no use for the argument \"c\""));
}

}  // namespace
}  // namespace logitchain
