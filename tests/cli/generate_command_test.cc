#include "logitchain/cli/generate_command.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/cli/command_result.h"
#include "logitchain/tests/cli/npy_file.h"
#include "logitchain/tests/models/tiny_trigram_file.h"
#include "logitchain/tests/testing/temp_folder.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Lt;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

// A row whose most likely token is `id`.
std::vector<float> Likely(size_t id) {
  std::vector<float> row(6, 0);
  row[id] = 9;
  return row;
}

class GenerateCommandTest : public testing::Test {
 protected:
  CommandResult Generate(const std::string& chain, const std::string& prompt,
                         const std::vector<std::string>& flags) const {
    std::vector<std::string> arguments = {
        "generate", "--chain", folder_.Write("chain.textproto", chain), "--prompt", prompt};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return Call(arguments);
  }

  // With logits whose most likely tokens are 1, 2, 3, 4, 5, in place of a model.
  CommandResult Replay(const std::vector<std::string>& flags, const std::string& chain = "",
                       const std::string& prompt = "") const {
    std::vector<std::string> all = {
        "--logits=" +
        WriteNpy(folder_, "logits.npy", {Likely(1), Likely(2), Likely(3), Likely(4), Likely(5)})};
    all.insert(all.end(), flags.begin(), flags.end());
    return Generate(chain, prompt, all);
  }

  std::string Error(const CommandResult& result, int exit_code = 1) const {
    EXPECT_EQ(result.exit_code, exit_code) << result;
    return absl::StrJoin(absl::StrSplit(result.err, folder_.Path("")), "");
  }

  TempFolder folder_;
};

TEST_F(GenerateCommandTest, PrintsTheTextAndHowItEnded) {
  const CommandResult result = Replay({"--greedy"});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(result.out, " 1 2 3 4 5\n");
  EXPECT_THAT(result.err, MatchesRegex(R"(\[length; 5 tokens in [0-9.]+ s; seed 0\]
)"));
}

TEST_F(GenerateCommandTest, CompletesAPromptWithDebiansModel) {
  const std::string chain =
      "processors { temperature { temperature: 0.8 } }\n"
      "processors { top_k { k: 40 } }\n"
      "draw { seed: 42 }\n";
  const CommandResult result = Generate(chain, "i want to", {});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, MatchesRegex("( [a-z.']+)+\n"));
  EXPECT_THAT(result.err, MatchesRegex("\\[(stop_token \\(id 6\\)|length); .*; seed 42\\]\n"));
  EXPECT_EQ(Generate(chain, "i want to", {}).out, result.out);
}

TEST_F(GenerateCommandTest, CompletesAPromptWithAGivenModel) {
  const std::string model = WriteTrigramFile(folder_, TinyArpa("<s>", "</s>", ""));
  const CommandResult result =
      Generate("", "a b", {"--model", model, "--greedy", "--max_tokens=3"});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, MatchesRegex("( [ab])*\n"));
}

TEST_F(GenerateCommandTest, ThePromptEntersTheHistory) {
  const std::string chain = "processors { repetition_penalty { penalty: 2 } }";
  const std::string logits = "--logits=" + WriteNpy(folder_, "row.npy", {{9, 8, 7}});
  EXPECT_EQ(Generate(chain, "", {logits, "--greedy"}).out, " 0\n");
  EXPECT_EQ(Generate(chain, "0 1", {logits, "--greedy"}).out, " 2\n");
}

TEST_F(GenerateCommandTest, TheChainKnowsTheTextsOfTheTokens) {
  const std::string logits =
      "--logits=" + WriteNpy(folder_, "rows.npy", std::vector<std::vector<float>>(4, {0, 9, 8, 0}));
  const auto dry = [](const std::string& breaker) {
    return absl::StrCat("processors { dry { multiplier: 5 base: 1 allowed_length: 1 ", breaker,
                        " } }");
  };
  EXPECT_EQ(Generate(dry(""), "", {logits, "--greedy"}).out, " 1 1 2 1\n");
  EXPECT_EQ(Generate(dry("sequence_breaker_texts: '1'"), "", {logits, "--greedy"}).out,
            " 1 1 1 1\n");
}

TEST_F(GenerateCommandTest, StopsAtMaxTokens) {
  EXPECT_EQ(Replay({"--greedy", "--max_tokens=2"}).out, " 1 2\n");
  const CommandResult none = Replay({"--max_tokens=0"});
  EXPECT_EQ(none.out, "\n");
  EXPECT_THAT(none.err, StartsWith("[length; 0 tokens in "));
}

TEST_F(GenerateCommandTest, StopsAtStopStrings) {
  const CommandResult result = Replay({"--greedy", "--stop= 4", "--stop=3 4 5"});
  EXPECT_EQ(result.out, " 1 2 3\n");
  EXPECT_THAT(result.err, StartsWith("[stop_string \" 4\"; 4 tokens in "));
}

TEST_F(GenerateCommandTest, WithholdsTextUnlessEager) {
  EXPECT_EQ(Replay({"--greedy", "--stop=2 3 4"}).out, " 1 \n");
  EXPECT_EQ(Replay({"--greedy", "--stop=2 3 4", "--emit_eagerly"}).out, " 1 2 3\n");
}

TEST_F(GenerateCommandTest, MinTokensBansTheStopToken) {
  const std::string model = WriteTrigramFile(folder_, TinyArpa("<s>", "</s>", ""));
  const std::vector<std::string> flags = {"--model", model, "--max_tokens=9", "--json"};
  int shorter = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<std::string> all = flags;
    all.push_back(absl::StrCat("--seed=", seed));
    all.push_back("--min_tokens=4");
    const std::vector<json> lines = JsonLines(Generate("", "", all).out);
    ASSERT_THAT(lines, SizeIs(1));
    EXPECT_THAT(lines[0].at("tokens"), SizeIs(Ge(4u)));
    all.back() = "--min_tokens=0";
    shorter += JsonLines(Generate("", "", all).out).at(0).at("tokens").size() < 4;
  }
  EXPECT_GT(shorter, 0) << "nothing to ban";
}

TEST_F(GenerateCommandTest, SeveralCompletionsAreSetApart) {
  const CommandResult result = Replay({"--n=3", "--seed=5"});
  EXPECT_EQ(result.exit_code, 0) << result;
  const std::vector<std::string> lines = absl::StrSplit(result.out, '\n');
  ASSERT_THAT(lines, SizeIs(7));
  EXPECT_EQ(lines[0], "--- 1 of 3 ---");
  EXPECT_EQ(lines[2], "--- 2 of 3 ---");
  EXPECT_EQ(lines[4], "--- 3 of 3 ---");
  EXPECT_EQ(lines[1] + "\n", Replay({"--seed=5"}).out) << "the first is that of --n=1";
}

// There are logits for two tokens, of which a text that does not stop before needs a third.
TEST_F(GenerateCommandTest, ACompletionThatFailsDoesNotKeepTheOthersFromComing) {
  const std::string logits = "--logits=" + WriteNpy(folder_, "flat.npy", {{0, 0}, {0, 0}});
  const std::vector<std::string> flags = {logits, "--n=40", "--max_tokens=3", "--stop=1"};
  const CommandResult result = Generate("", "", flags);
  const std::vector<std::string> lines = absl::StrSplit(result.out, '\n');
  ASSERT_THAT(lines, SizeIs(81));
  int failed = 0;
  for (int i = 0; i < 40; ++i) {
    if (lines[2 * i + 1] != " 0 0") continue;
    ++failed;
    EXPECT_THAT(result.err, HasSubstr(absl::StrCat("\ncompletion ", i + 1, " of 40: step 2: ")));
  }
  EXPECT_THAT(failed, AllOf(Ge(1), Lt(39)));
  EXPECT_THAT(Error(result), HasSubstr(absl::StrCat("logitchain generate: ", failed,
                                                    " of 40 completions failed\n")));
  std::vector<std::string> json_flags = flags;
  json_flags.push_back("--json");
  EXPECT_THAT(JsonLines(Generate("", "", json_flags).out), SizeIs(40));
}

TEST_F(GenerateCommandTest, AVocabularySaysWhatReplayedTokensAre) {
  const std::string vocab = "--vocab=" + folder_.Write("vocab.json", R"({
    "added_tokens": [{"id": 3, "content": "</s>", "special": true}],
    "model": {"byte_fallback": true, "vocab": {"x": 0, "ab": 1, "c": 2}}})");
  const CommandResult result =
      Replay({"--greedy", vocab}, "processors { grammar_mask { regex: 'ab(x|cc)' } }");
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(result.out, "abcc\n");
  EXPECT_THAT(result.err, StartsWith("[grammar_end (id 3); 3 tokens in "));
  EXPECT_THAT(Error(Generate("", "", {vocab}), 2), HasSubstr("--vocab needs --logits"));
}

TEST_F(GenerateCommandTest, ACompleteTextEndsWhereThereAreNoStopTokens) {
  const CommandResult result =
      Replay({"--greedy"}, "processors { grammar_mask { regex: ' 1 2' } }");
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(result.out, " 1 2\n");
  EXPECT_THAT(result.err, StartsWith("[grammar_end; 2 tokens in "));
}

TEST_F(GenerateCommandTest, CompletionsHaveTheirOwnRandomNumbers) {
  const std::string flat = WriteNpy(folder_, "flat.npy", {std::vector<float>(1000, 0)});
  // Seeds of mt19937, which draws or is what the dialect's rules draw with, have 32 bits.
  for (const std::string chain :
       {"", "dialect: LLAMA_CPP", "draw { generator: MT19937 }",
        "dialect: LLAMA_CPP processors { xtc { probability: 0.5 } } draw { generator: PCG32 }"}) {
    const std::vector<json> lines =
        JsonLines(Generate(chain, "", {"--logits", flat, "--n=50", "--json"}).out);
    ASSERT_THAT(lines, SizeIs(50));
    std::vector<int64_t> ids;
    for (size_t i = 0; i < lines.size(); ++i) {
      EXPECT_EQ(lines[i].at("completion"), i);
      ids.push_back(lines[i].at("tokens").at(0).at("id"));
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    EXPECT_THAT(ids, SizeIs(Ge(40u)));
    // A completion can be had again by its seed.
    const std::string seed = absl::StrCat("--seed=", lines[7].at("seed").get<uint64_t>());
    const std::vector<json> again =
        JsonLines(Generate(chain, "", {"--logits", flat, "--json", seed}).out);
    ASSERT_THAT(again, SizeIs(1));
    EXPECT_EQ(again[0].at("tokens"), lines[7].at("tokens"));
  }
}

TEST_F(GenerateCommandTest, JsonHasEverything) {
  const CommandResult result =
      Replay({"--json", "--seed=18446744073709551615", "--stop=3", "--greedy"}, "", "5");
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(result.err, "");
  const std::vector<json> lines = JsonLines(result.out);
  ASSERT_THAT(lines, SizeIs(1));
  const json& line = lines[0];
  EXPECT_EQ(line.at("completion"), 0);
  EXPECT_EQ(line.at("seed"), UINT64_MAX);
  EXPECT_EQ(line.at("prompt"), "5");
  EXPECT_EQ(line.at("text"), " 1 2 ");
  EXPECT_EQ(line.at("finish_reason"), "stop_string");
  EXPECT_EQ(line.at("stop_string"), "3");
  ASSERT_THAT(line.at("tokens"), SizeIs(3));
  const json& token = line.at("tokens").at(0);
  EXPECT_EQ(token.at("id"), 1);
  EXPECT_EQ(token.at("text"), " 1");
  EXPECT_EQ(token.at("kept"), 1);
  EXPECT_EQ(token.at("greedy"), true);
  EXPECT_TRUE(token.contains("penalised_logprob"));
}

TEST_F(GenerateCommandTest, TraceHasALineForEachToken) {
  const std::string path = folder_.Path("trace.jsonl");
  const CommandResult result =
      Replay({"--trace", path, "--n=2", "--max_tokens=3"}, "processors { top_k { k: 2 } }");
  EXPECT_EQ(result.exit_code, 0) << result;
  const std::vector<json> lines = JsonLines(folder_.Read("trace.jsonl"));
  ASSERT_THAT(lines, SizeIs(6));
  EXPECT_EQ(lines[0].at("completion"), 0);
  EXPECT_EQ(lines[5].at("completion"), 1);
  EXPECT_EQ(lines[5].at("step"), 2);
  EXPECT_TRUE(lines[0].contains("penalised_logprob"));
  EXPECT_EQ(lines[0].at("parts").at(1), json({{"name", "processors[0].top_k"}, {"kept", 2}}));
  EXPECT_THAT(Error(Replay({"--trace", folder_.Path("none/trace")})),
              HasSubstr("none/trace: No such file"));
}

// Nothing is lost by a slip of the pen.
TEST_F(GenerateCommandTest, TraceIsNoFileThatIsReadOrPrintedTo) {
  const std::string chain = folder_.Path("chain.textproto");
  const std::string logits = folder_.Path("logits.npy");
  const std::string link = folder_.Path("link");
  EXPECT_THAT(Error(Replay({"--trace", chain}, "order: AS_LISTED"), 2),
              HasSubstr("--trace is \"chain.textproto\", the same file as --chain; it must be"));
  EXPECT_EQ(folder_.Read("chain.textproto"), "order: AS_LISTED");
  ASSERT_EQ(::link(chain.c_str(), link.c_str()), 0);
  EXPECT_THAT(Error(Replay({"--trace", link}, "order: AS_LISTED"), 2), HasSubstr("as --chain"));
  EXPECT_THAT(Error(Replay({"--trace", logits}), 2), HasSubstr("the same file as --logits"));
  EXPECT_THAT(Error(Replay({"--trace=/dev/stdout"}), 2),
              HasSubstr("--trace is \"/dev/stdout\", where the standard output goes"));
  EXPECT_EQ(Replay({"--trace=/dev/null"}).exit_code, 0);
}

TEST_F(GenerateCommandTest, TimingShowsWhereTheTimeGoes) {
  const CommandResult result = Replay({"--timing"}, "processors { top_k { k: 2 } }");
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.err, AllOf(HasSubstr("5 tokens"), HasSubstr("model"), HasSubstr("sampling"),
                                HasSubstr("processors[0].top_k")));
  EXPECT_THAT(Replay({}).err, Not(HasSubstr("sampling")));
}

TEST_F(GenerateCommandTest, AReplayThatEndsIsAnErrorWhereMoreIsAskedFor) {
  const CommandResult result = Replay({"--greedy", "--max_tokens=9"});
  EXPECT_EQ(result.out, " 1 2 3 4 5\n");
  EXPECT_THAT(Error(result), HasSubstr("logitchain generate: step 5: "));
  EXPECT_THAT(result.err, StartsWith("[error; 5 tokens in "));
  const std::vector<json> lines = JsonLines(Replay({"--max_tokens=9", "--json"}).out);
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_EQ(lines[0].at("finish_reason"), "error");
  EXPECT_THAT(std::string(lines[0].at("error")), StartsWith("step 5: "));
}

TEST_F(GenerateCommandTest, ErrorsOfThePromptNameTheWord) {
  EXPECT_EQ(Error(Generate("", "i want xyzzy", {})),
            "logitchain generate: --prompt: word 3, \"xyzzy\", is not in the model's vocabulary\n");
  EXPECT_THAT(Error(Replay({}, "", "1 6")), HasSubstr("--prompt: word 2, \"6\", is not a token"));
}

TEST_F(GenerateCommandTest, BadCallsAreUsageErrors) {
  EXPECT_EQ(Error(Call({"generate", "--prompt=a"}), 2),
            "logitchain generate: --chain=FILE is missing; see `logitchain generate --help`\n");
  EXPECT_THAT(Error(Replay({"--stop="}), 2), HasSubstr("--stop is empty"));
  EXPECT_THAT(Error(Replay({"--min_tokens=3", "--max_tokens=2"}), 2),
              HasSubstr("--min_tokens is 3, which is more than --max_tokens, 2"));
  EXPECT_THAT(Error(Replay({"--max_tokens=-1"}), 2), HasSubstr("--max_tokens is \"-1\""));
  EXPECT_THAT(Error(Replay({"--n=0"}), 2), HasSubstr("--n is \"0\""));
  EXPECT_THAT(Error(Replay({"--model=m"}), 2), HasSubstr("--model and --logits cannot both"));
}

}  // namespace
}  // namespace logitchain
