#include "logitchain/processors/repetition_penalty.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/processors/rule_case.h"

namespace logitchain {
namespace {

class RepetitionPenaltyTest : public testing::TestWithParam<RuleCase> {};

// Token 0, and then token 1 sixty-four times.
std::vector<TokenId> ZeroAndSixtyFourOnes() {
  std::vector<TokenId> tokens(65, 1);
  tokens[0] = 0;
  return tokens;
}

std::string Rule(const std::string& fields) {
  return "processors { repetition_penalty { " + fields + " } }";
}

INSTANTIATE_TEST_SUITE_P(
    , RepetitionPenaltyTest,
    testing::Values(
        RuleCase{"DividesPositiveAndMultipliesNegativeLogits",
                 Rule("penalty: 2"),
                 {4, -4, 0, 4},
                 {2, -8, 0, 4},
                 {.output = {0, 1, 2}}},
        RuleCase{"BelowOneItEncourages",
                 Rule("penalty: 0.5"),
                 {4, -4, 0},
                 {8, -2, 0},
                 {.output = {0, 1, 2}}},
        RuleCase{"SeesPromptAndOutput",
                 Rule("penalty: 2"),
                 {4, 4, 4},
                 {2, 4, 2},
                 {.prompt = {0}, .output = {2}}},
        RuleCase{"OfTheOutputOnly",
                 Rule("penalty: 2 scope: OUTPUT_ONLY"),
                 {4, 4, 4},
                 {4, 4, 2},
                 {.prompt = {0}, .output = {2}}},
        RuleCase{"OneIsOff", Rule("penalty: 1"), {4, -4}, {4, -4}, {.output = {0, 1}}},
        RuleCase{"TheDefaultIsOff", Rule(""), {4, -4}, {4, -4}, {.output = {0, 1}}},
        RuleCase{"ARemovedTokenStaysRemoved",
                 "processors { grammar_mask { banned_ids: 0 } } " + Rule("penalty: 2"),
                 {4, 4},
                 {kOut, 2},
                 {.output = {0, 1}}},
        RuleCase{"AWindowCountsFromTheEnd",
                 Rule("penalty: 2 window: 2"),
                 {4, 4, 4},
                 {4, 2, 2},
                 {.prompt = {0, 1}, .output = {2}}},
        RuleCase{"AWindowOfTheOutputDoesNotReachIntoThePrompt",
                 Rule("penalty: 2 window: 2 scope: OUTPUT_ONLY"),
                 {4, 4, 4},
                 {4, 4, 2},
                 {.prompt = {0, 1}, .output = {2}}},
        RuleCase{"AWindowOfZeroSeesNothing",
                 Rule("penalty: 2 window: 0"),
                 {4, 4},
                 {4, 4},
                 {.prompt = {0}, .output = {1}}},
        RuleCase{"TwoOfThemBothWork",
                 Rule("penalty: 2") + Rule("penalty: 4"),
                 {8, 1},
                 {1, 1},
                 {.output = {0}}},
        // 1/1.1 and −3·1.1 in float64, and in float32.
        RuleCase{"Float64InSpec",
                 Rule("penalty: 1.1"),
                 {1, -4},
                 {0x1.d1745d1745d17p-1, -4.4},
                 {.output = {0, 1}}},
        RuleCase{"Float32InVllm",
                 "dialect: VLLM " + Rule("penalty: 1.1"),
                 {1, -3},
                 {0x1.d1745cp-1, -0x1.a66668p+1},
                 {.output = {0, 1}}},
        RuleCase{
            "SpecSeesAll", Rule("penalty: 2"), {4, 4}, {2, 2}, {.prompt = ZeroAndSixtyFourOnes()}},
        RuleCase{"MinferSeesTheLast64",
                 "dialect: MINFER " + Rule("penalty: 2"),
                 {4, 4},
                 {4, 2},
                 {.prompt = ZeroAndSixtyFourOnes()}},
        RuleCase{"LlamaCppSeesTheLast64",
                 "dialect: LLAMA_CPP " + Rule("penalty: 2"),
                 {4, 4},
                 {4, 2},
                 {.prompt = ZeroAndSixtyFourOnes()}},
        RuleCase{"AWindowInLlamaCpp",
                 "dialect: LLAMA_CPP " + Rule("penalty: 2 window: 65"),
                 {4, 4},
                 {2, 2},
                 {.prompt = ZeroAndSixtyFourOnes()}},
        RuleCase{"MinferIgnoresWhatEncourages",
                 "dialect: MINFER " + Rule("penalty: 0.5"),
                 {4, -4},
                 {4, -4},
                 {.output = {0, 1}}},
        RuleCase{"MinferIgnoresWhatIsNearOne",
                 "dialect: MINFER " + Rule("penalty: 1.0000005"),
                 {4, -4},
                 {4, -4},
                 {.output = {0, 1}}},
        RuleCase{"LlamaCppEncourages",
                 "dialect: LLAMA_CPP " + Rule("penalty: 0.5"),
                 {4, -4},
                 {8, -2},
                 {.output = {0, 1}}}),
    NameOf);

TEST_P(RepetitionPenaltyTest, Process) { ExpectProcessed(GetParam()); }

}  // namespace
}  // namespace logitchain
