#include "logitchain/processors/min_p.h"

#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "logitchain/tests/processors/rule_case.h"

namespace logitchain {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

class MinPTest : public testing::TestWithParam<RuleCase> {};

std::string Rule(const std::string& fields) { return "processors { min_p { " + fields + " } }"; }

// Each logit is e^-1 = 0.37 times as likely as the next larger one.
INSTANTIATE_TEST_SUITE_P(
    , MinPTest,
    testing::Values(
        RuleCase{"KeepsWhatIsLikelyEnough", Rule("p: 0.3"), {1, 3, 2, 0}, {kOut, 3, 2, kOut}},
        RuleCase{"OneKeepsTheMostLikely", Rule("p: 1"), {3, 1, 3, 2}, {3, kOut, 3, kOut}},
        RuleCase{"ZeroIsOff", Rule("p: 0"), {9, 0, -900}, {9, 0, -900}},
        RuleCase{"TheDefaultIsOff", Rule(""), {9, 0, -900}, {9, 0, -900}},
        // exp(−900) is 0 in float64, and 0 is below every bound.
        RuleCase{
            "ATinyPRemovesWhatUnderflows", Rule("p: 1e-300"), {0, -600, -900}, {0, -600, kOut}},
        RuleCase{"AtLeastMinKeepStay", Rule("p: 0.9 min_keep: 3"), {1, 3, 2, 0}, {1, 3, 2, kOut}},
        RuleCase{"MinKeepPrefersTheLowestIds",
                 Rule("p: 0.9 min_keep: 2"),
                 {2, 3, 2, 2},
                 {2, 3, kOut, kOut}},
        RuleCase{"MinKeepOfMoreThanThereAre",
                 Rule("p: 0.9 min_keep: 2147483647"),
                 {1, 3, 2, 0},
                 {1, 3, 2, 0}},
        RuleCase{"RemovedTokensDoNotCount",
                 Rule("p: 0.3"),
                 {kMinusInfinity, 1, 0.5, -1},
                 {kOut, 1, 0.5, kOut}},
        RuleCase{"SeesTheDistributionAfterTemperature",
                 "processors { temperature { temperature: 2 } } " + Rule("p: 0.3"),
                 {1, 3, 2, 0},
                 {0.5, 1.5, 1, kOut}},
        RuleCase{"LlamaCppComparesLogits",
                 "dialect: LLAMA_CPP " + Rule("p: 0.3"),
                 {1, 3, 2, 0},
                 {kOut, 3, 2, kOut}},
        // In float32 1024 + log 0.3 is 1022.79602…, a logit with exp(−1.20398) = 0.299998.
        RuleCase{"LlamaCppsBoundIsARoundedLogit",
                 "dialect: LLAMA_CPP " + Rule("p: 0.3"),
                 {1024, 1022.7960205078125, 1022.79595947265625},
                 {1024, 1022.7960205078125, kOut}},
        // There log(1e-300) is that of a float32, −∞, and nothing is below.
        RuleCase{"LlamaCppsTinyPKeepsAll",
                 "dialect: LLAMA_CPP " + Rule("p: 1e-300"),
                 {0, -600, -900},
                 {0, -600, -900}},
        RuleCase{"LlamaCppsMinKeep",
                 "dialect: LLAMA_CPP " + Rule("p: 0.9 min_keep: 2"),
                 {1, 3, 2, 0},
                 {kOut, 3, 2, kOut}},
        RuleCase{"LlamaCppsNegativePIsOff", "dialect: LLAMA_CPP " + Rule("p: -1"), {9, 0}, {9, 0}},
        RuleCase{"VllmsComesBeforeTopK",
                 "dialect: VLLM " + Rule("p: 0.3") + "processors { top_k { k: 1 } }",
                 {1, 3, 2, 0},
                 {kOut, 3, kOut, kOut}}),
    NameOf);

TEST_P(MinPTest, Process) { ExpectProcessed(GetParam()); }

}  // namespace
}  // namespace logitchain
