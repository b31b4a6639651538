#include "logitchain/processors/top_k.h"

#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "logitchain/tests/processors/rule_case.h"

namespace logitchain {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();
constexpr float kTiny = std::numeric_limits<float>::denorm_min();

class TopKTest : public testing::TestWithParam<RuleCase> {};

std::string Rule(const std::string& fields) { return "processors { top_k { " + fields + " } }"; }

INSTANTIATE_TEST_SUITE_P(
    , TopKTest,
    testing::Values(
        RuleCase{"KeepsTheLargest", Rule("k: 2"), {1, 4, 2, 3}, {kOut, 4, kOut, 3}},
        RuleCase{"OneIsTheArgmax", Rule("k: 1"), {1, 4, 2, 4}, {kOut, 4, kOut, kOut}},
        RuleCase{"ZeroIsOff", Rule("k: 0"), {1, 4, 2}, {1, 4, 2}},
        RuleCase{"TheDefaultIsOff", Rule(""), {1, 4, 2}, {1, 4, 2}},
        RuleCase{"AsManyAsThereAre", Rule("k: 3"), {1, 4, 2}, {1, 4, 2}},
        RuleCase{"MoreThanThereAre", Rule("k: 9223372036854775807"), {1, 4, 2}, {1, 4, 2}},
        RuleCase{"TiesGoToTheLowestIds", Rule("k: 3"), {2, 5, 2, 2, 5}, {2, 5, kOut, kOut, 5}},
        RuleCase{"AllEqual", Rule("k: 2"), {7, 7, 7, 7}, {7, 7, kOut, kOut}},
        RuleCase{"KeepTiesKeepsAllThatTieWithTheLast",
                 Rule("k: 3 ties: KEEP_TIES"),
                 {2, 5, 2, 2, 5, 1},
                 {2, 5, 2, 2, 5, kOut}},
        RuleCase{"KeepTiesWithoutATieIsExact",
                 Rule("k: 2 ties: KEEP_TIES"),
                 {2, 5, 2, 2, 5, 1},
                 {kOut, 5, kOut, kOut, 5, kOut}},
        RuleCase{"AtLeastMinKeepStay", Rule("k: 1 min_keep: 3"), {1, 4, 2, 3}, {kOut, 4, 2, 3}},
        RuleCase{"RemovedTokensDoNotCount",
                 Rule("k: 2"),
                 {kMinusInfinity, 1, kMinusInfinity, 3, 2},
                 {kOut, kOut, kOut, 3, 2}},
        RuleCase{"FewerThanKAreLeft",
                 Rule("k: 3"),
                 {kMinusInfinity, 1, kMinusInfinity, 3},
                 {kOut, 1, kOut, 3}},
        RuleCase{"ExtremeLogits",
                 Rule("k: 2"),
                 {-kMax, 1e9f, kMax, -1e9f, 0},
                 {kOut, 1e9f, kMax, kOut, kOut}},
        RuleCase{"TheSmallestDifferences",
                 Rule("k: 2"),
                 {0, kTiny, -kTiny, 2 * kTiny},
                 {kOut, kTiny, kOut, 2 * kTiny}},
        RuleCase{"AllNegative", Rule("k: 1"), {-5, -3, -4}, {kOut, -3, kOut}},
        RuleCase{"SeesTheLogitsAfterThePenalties",
                 "processors { presence_frequency_penalty { presence: 3 } } " + Rule("k: 1"),
                 {1, 4, 2},
                 {kOut, kOut, 2},
                 {.output = {1}}},
        RuleCase{"SmallerAfterLarger", Rule("k: 3") + Rule("k: 1"), {1, 4, 2}, {kOut, 4, kOut}},
        RuleCase{"LargerAfterSmaller", Rule("k: 1") + Rule("k: 3"), {1, 4, 2}, {kOut, 4, kOut}},
        RuleCase{"MinferKeepsTies", "dialect: MINFER " + Rule("k: 1"), {4, 1, 4}, {4, kOut, 4}},
        RuleCase{"MinferMayBeExact",
                 "dialect: MINFER " + Rule("k: 1 ties: EXACTLY_K"),
                 {4, 1, 4},
                 {4, kOut, kOut}},
        RuleCase{"HuggingFaceKeepsTies",
                 "dialect: HUGGING_FACE " + Rule("k: 1"),
                 {4, 1, 4},
                 {4, kOut, 4}},
        RuleCase{"VllmKeepsTies", "dialect: VLLM " + Rule("k: 1"), {4, 1, 4}, {4, kOut, 4}},
        RuleCase{
            "LlamaCppIsExact", "dialect: LLAMA_CPP " + Rule("k: 1"), {4, 1, 4}, {4, kOut, kOut}},
        RuleCase{"LlamaCppsNegativeKIsOff",
                 "dialect: LLAMA_CPP " + Rule("k: -1"),
                 {4, 1, 4},
                 {4, 1, 4}}),
    NameOf);

TEST_P(TopKTest, Process) { ExpectProcessed(GetParam()); }

}  // namespace
}  // namespace logitchain
