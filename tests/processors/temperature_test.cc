#include "logitchain/processors/temperature.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/sample.h"
#include "logitchain/tests/processors/rule_case.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

class TemperatureTest : public testing::TestWithParam<RuleCase> {};

std::string Rule(const std::string& fields) {
  return "processors { temperature { " + fields + " } }";
}

INSTANTIATE_TEST_SUITE_P(
    , TemperatureTest,
    testing::Values(
        RuleCase{"BelowOneItSharpens", Rule("temperature: 0.5"), {3, -1, 0}, {6, -2, 0}},
        RuleCase{"AboveOneItFlattens", Rule("temperature: 4"), {3, -1, 0}, {0.75, -0.25, 0}},
        RuleCase{"OneIsOff", Rule("temperature: 1"), {3, -1}, {3, -1}},
        RuleCase{"TheDefaultIsOff", Rule(""), {3, -1}, {3, -1}},
        RuleCase{"ZeroLeavesTheLogits", Rule("temperature: 0"), {3, -1}, {3, -1}},
        RuleCase{"ARemovedTokenStaysRemoved",
                 "processors { grammar_mask { banned_ids: 0 } } " + Rule("temperature: 2"),
                 {3, -1},
                 {kOut, -0.5}},
        RuleCase{"TwoOfThemMultiply",
                 Rule("temperature: 2") + Rule("temperature: 4"),
                 {8, -16},
                 {1, -2}},
        RuleCase{"SpecDividesInFloat64", Rule("temperature: 0.7"), {5}, {5 / 0.7}},
        RuleCase{"LlamaCppDividesInFloat32",
                 "dialect: LLAMA_CPP " + Rule("temperature: 0.7"),
                 {5},
                 {0x1.c92492p+2}},
        RuleCase{"MinferMultipliesByTheReciprocal",
                 "dialect: MINFER " + Rule("temperature: 0.7"),
                 {5},
                 {0x1.c92494p+2}},
        RuleCase{"LlamaCppsZeroLeavesTheFirstMaximum",
                 "dialect: LLAMA_CPP " + Rule("temperature: 0"),
                 {1, 3, 3, 2},
                 {kOut, 3, kOut, kOut}},
        RuleCase{"LlamaCppsNegativeOnesToo",
                 "dialect: LLAMA_CPP " + Rule("temperature: -1"),
                 {1, 3, 3, 2},
                 {kOut, 3, kOut, kOut}},
        RuleCase{"VllmRaisesASmallOneWhereAskedTo",
                 "dialect: VLLM " + Rule("temperature: 0.001 allow_small_temperature: true"),
                 {1, -2},
                 {static_cast<float>(1 / 0.01f), static_cast<float>(-2 / 0.01f)}}),
    NameOf);

TEST_P(TemperatureTest, Process) { ExpectProcessed(GetParam()); }

TEST(GreedyTemperatureTest, EachDialectHasItsThreshold) {
  const auto is_greedy = [](const std::string& dialect, const std::string& temperature) {
    const auto chain =
        MakeChain("dialect: " + dialect + " " + Rule(" temperature: " + temperature), 2);
    return chain->Sample(std::vector<float>{0, 1e-6f}).value().greedy;
  };
  EXPECT_TRUE(is_greedy("SPEC", "0"));
  EXPECT_FALSE(is_greedy("SPEC", "1e-30"));
  EXPECT_TRUE(is_greedy("MINFER", "9e-7"));
  EXPECT_TRUE(is_greedy("MINFER", "-1"));
  EXPECT_FALSE(is_greedy("MINFER", "1e-6"));
  EXPECT_TRUE(is_greedy("VLLM", "9e-6"));
  EXPECT_FALSE(is_greedy("VLLM", "0.01"));
  EXPECT_FALSE(is_greedy("LLAMA_CPP", "0"));
}

}  // namespace
}  // namespace logitchain
