#include "logitchain/processors/presence_frequency_penalty.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/processors/rule_case.h"

namespace logitchain {
namespace {

class PresenceFrequencyPenaltyTest : public testing::TestWithParam<RuleCase> {};

std::string Rule(const std::string& fields) {
  return "processors { presence_frequency_penalty { " + fields + " } }";
}

INSTANTIATE_TEST_SUITE_P(
    , PresenceFrequencyPenaltyTest,
    testing::Values(
        RuleCase{
            "PresenceOnce", Rule("presence: 0.5"), {2, 2, 2}, {1.5, 1.5, 2}, {.output = {0, 1, 1}}},
        RuleCase{"FrequencyPerOccurrence",
                 Rule("frequency: 0.5"),
                 {2, 2, 2},
                 {1.5, 1, 2},
                 {.output = {0, 1, 1}}},
        RuleCase{"Both",
                 Rule("presence: 0.25 frequency: 0.5"),
                 {2, 2, 2},
                 {1.25, 0.75, 2},
                 {.output = {0, 1, 1}}},
        RuleCase{"NegativeValuesEncourage",
                 Rule("presence: -1 frequency: -0.5"),
                 {2, 2, -2},
                 {2, 4, -0.5},
                 {.output = {1, 1, 2}}},
        RuleCase{"ZeroIsOff", Rule("presence: 0 frequency: 0"), {2, 2}, {2, 2}, {.output = {0}}},
        RuleCase{"TheDefaultIsOff", Rule(""), {2, 2}, {2, 2}, {.output = {0}}},
        RuleCase{
            "OfTheOutputOnly", Rule("presence: 1"), {2, 2}, {2, 1}, {.prompt = {0}, .output = {1}}},
        RuleCase{"OfPromptAndOutput",
                 Rule("presence: 1 frequency: 1 scope: PROMPT_AND_OUTPUT"),
                 {4, 4},
                 {1, 2},
                 {.prompt = {0, 0}, .output = {1}}},
        RuleCase{"AWindowCountsFromTheEnd",
                 Rule("frequency: 1 window: 3"),
                 {4, 4, 4},
                 {4, 3, 2},
                 {.output = {0, 1, 2, 2}}},
        RuleCase{"ARemovedTokenStaysRemoved",
                 "processors { grammar_mask { banned_ids: 0 } } " + Rule("presence: -9"),
                 {4, 4},
                 {kOut, 13},
                 {.output = {0, 1}}},
        RuleCase{"VllmsCountTheOutputOnly",
                 "dialect: VLLM " + Rule("presence: 1"),
                 {2, 2},
                 {2, 1},
                 {.prompt = {0}, .output = {1}}},
        RuleCase{"LlamaCppsCountThePromptToo",
                 "dialect: LLAMA_CPP " + Rule("presence: 1 frequency: 1"),
                 {4, 4},
                 {1, 2},
                 {.prompt = {0, 0}, .output = {1}}},
        RuleCase{"MinfersCountThePromptToo",
                 "dialect: MINFER " + Rule("presence: 1 frequency: 1"),
                 {4, 4},
                 {1, 2},
                 {.prompt = {0, 0}, .output = {1}}},
        // 0.7 − (0.1·3 + 0.2), and (0.7 − 0.1·3) − 0.2, in float32.
        RuleCase{"LlamaCppSumsFirst",
                 "dialect: LLAMA_CPP " + Rule("presence: 0.2 frequency: 0.1"),
                 {0.7f},
                 {0x1.999998p-3},
                 {.output = {0, 0, 0}}},
        RuleCase{"MinferSubtractsTwice",
                 "dialect: MINFER " + Rule("presence: 0.2 frequency: 0.1"),
                 {0.7f},
                 {0x1.999996p-3},
                 {.output = {0, 0, 0}}},
        RuleCase{"MinferIgnoresWhatIsNearZero",
                 "dialect: MINFER " + Rule("presence: 9e-7 frequency: -9e-7"),
                 {1e-6f},
                 {1e-6f},
                 {.output = {0, 0, 0}}},
        RuleCase{"MinferTakesItBeforeRepetition",
                 "dialect: MINFER " + Rule("presence: 1") +
                     "processors { repetition_penalty { penalty: 2 } }",
                 {3, 1},
                 {1, 1},
                 {.output = {0}}}),
    NameOf);

TEST_P(PresenceFrequencyPenaltyTest, Process) { ExpectProcessed(GetParam()); }

}  // namespace
}  // namespace logitchain
