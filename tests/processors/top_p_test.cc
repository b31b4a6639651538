#include "logitchain/processors/top_p.h"

#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "logitchain/tests/processors/rule_case.h"

namespace logitchain {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

class TopPTest : public testing::TestWithParam<RuleCase> {};

std::string Rule(const std::string& fields) { return "processors { top_p { " + fields + " } }"; }

// Four equal logits have 0.25 each, without rounding; log 3 and 0 have 0.75 and 0.25, but for it.
constexpr float kLog2 = 0x1.62e43p-1f;
constexpr float kLog3 = 0x1.193ea8p+0f;

INSTANTIATE_TEST_SUITE_P(
    , TopPTest,
    testing::Values(
        RuleCase{"ReachingPIsEnough", Rule("p: 0.5"), {1, 1, 1, 1}, {1, 1, kOut, kOut}},
        RuleCase{"TheCrossingTokenStays", Rule("p: 0.51"), {1, 1, 1, 1}, {1, 1, 1, kOut}},
        RuleCase{
            "ExceedsNeedsMore", Rule("p: 0.5 crossing: EXCEEDS"), {1, 1, 1, 1}, {1, 1, 1, kOut}},
        RuleCase{"OneIsOff", Rule("p: 1"), {9, 0, -900}, {9, 0, -900}},
        RuleCase{"TheDefaultIsOff", Rule(""), {9, 0, -900}, {9, 0, -900}},
        RuleCase{"ATinyPKeepsTheBest", Rule("p: 1e-300"), {0, kLog3, 0}, {kOut, kLog3, kOut}},
        RuleCase{"MostLikelyFirstWhateverTheIds",
                 Rule("p: 0.7"),
                 {0, kLog2, kLog3, 0},
                 {kOut, kLog2, kLog3, kOut}},
        RuleCase{"AtLeastMinKeepStay", Rule("p: 0.25 min_keep: 3"), {1, 1, 1, 1}, {1, 1, 1, kOut}},
        RuleCase{"MinKeepOfMoreThanThereAre",
                 Rule("p: 0.25 min_keep: 2147483647"),
                 {1, 1, 1, 1},
                 {1, 1, 1, 1}},
        RuleCase{"RemovedTokensHaveNoShare",
                 Rule("p: 0.5"),
                 {kMinusInfinity, 1, 1, kMinusInfinity},
                 {kOut, 1, kOut, kOut}},
        RuleCase{"OneTokenIsLeft", Rule("p: 0.1"), {kMinusInfinity, 1}, {kOut, 1}},
        RuleCase{"ASecondOneSeesWhatTheFirstLeft",
                 Rule("p: 0.75") + Rule("p: 0.6"),
                 {1, 1, 1, 1},
                 {1, 1, kOut, kOut}},
        RuleCase{
            "MinferExceeds", "dialect: MINFER " + Rule("p: 0.5"), {1, 1, 1, 1}, {1, 1, 1, kOut}},
        RuleCase{"MinferMayReach",
                 "dialect: MINFER " + Rule("p: 0.5 crossing: REACHES"),
                 {1, 1, 1, 1},
                 {1, 1, kOut, kOut}},
        RuleCase{"MinfersZeroIsOff", "dialect: MINFER " + Rule("p: 0"), {9, 0}, {9, 0}},
        RuleCase{"MinfersTwoIsOff", "dialect: MINFER " + Rule("p: 2"), {9, 0}, {9, 0}},
        RuleCase{"LlamaCppReaches",
                 "dialect: LLAMA_CPP " + Rule("p: 0.5"),
                 {1, 1, 1, 1},
                 {1, 1, kOut, kOut}},
        RuleCase{
            "LlamaCppsZeroKeepsTheBest", "dialect: LLAMA_CPP " + Rule("p: 0"), {0, 1}, {kOut, 1}},
        RuleCase{"HuggingFacesZeroKeepsTheBest",
                 "dialect: HUGGING_FACE " + Rule("p: 0"),
                 {0, 1},
                 {kOut, 1}},
        // huggingface/transformers#18976: float32 sums of {.3 .1 .1 .5} may miss 0.8.
        RuleCase{"HuggingFaceReachesWithinATolerance",
                 "dialect: HUGGING_FACE " + Rule("p: 0.8"),
                 {-1.2039728f, -2.3025851f, -2.3025851f, -0.6931472f},
                 {-1.2039728f, kOut, kOut, -0.6931472f}}),
    NameOf);

TEST_P(TopPTest, Process) { ExpectProcessed(GetParam()); }

}  // namespace
}  // namespace logitchain
