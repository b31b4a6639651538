#include "logitchain/processors/grammar_mask.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "logitchain/tests/processors/rule_case.h"

namespace logitchain {
namespace {

class GrammarMaskTest : public testing::TestWithParam<RuleCase> {};

std::string Rule(const std::string& fields) {
  return "processors { grammar_mask { " + fields + " } }";
}

// 100 logits of 1, with −∞ outside of these ids.
std::vector<double> Only(const std::vector<int>& ids) {
  std::vector<double> expected(100, kOut);
  for (const int id : ids) expected[id] = 1;
  return expected;
}

const std::vector<float> kHundred(100, 1);

// Masks from an engine are in tests/registry/mask_provider_test.cc.
INSTANTIATE_TEST_SUITE_P(
    , GrammarMaskTest,
    testing::Values(
        RuleCase{"AllowedIds", Rule("allowed_ids: [1, 3]"), {5, 6, 7, 8}, {kOut, 6, kOut, 8}},
        RuleCase{"BannedIds", Rule("banned_ids: [1, 3]"), {5, 6, 7, 8}, {5, kOut, 7, kOut}},
        RuleCase{"BannedBeatsAllowed",
                 Rule("allowed_ids: [1, 3] banned_ids: [3, 0]"),
                 {5, 6, 7, 8},
                 {kOut, 6, kOut, kOut}},
        RuleCase{"AnIdTwice",
                 Rule("allowed_ids: [1, 1] banned_ids: [2, 2]"),
                 {5, 6, 7},
                 {kOut, 6, kOut}},
        RuleCase{"AllIds", Rule("allowed_ids: [0, 1, 2]"), {5, 6, 7}, {5, 6, 7}},
        RuleCase{"AtTheEdgesOfWords", Rule("allowed_ids: [0, 31, 32, 63, 64, 95, 96, 99]"),
                 kHundred, Only({0, 31, 32, 63, 64, 95, 96, 99})},
        RuleCase{"TwoMasks",
                 Rule("allowed_ids: [0, 1]") + Rule("banned_ids: 0"),
                 {5, 6, 7},
                 {kOut, 6, kOut}},
        // There masks come after the penalties, and before the filters all the same.
        RuleCase{"MinfersComesAfterThePenalties",
                 "dialect: MINFER processors { repetition_penalty { penalty: 2 } }" +
                     Rule("banned_ids: 0") + "processors { top_k { k: 1 } }",
                 {8, 6, 1},
                 {kOut, 3, kOut},
                 {.output = {1}}}),
    NameOf);

TEST_P(GrammarMaskTest, Process) { ExpectProcessed(GetParam()); }

}  // namespace
}  // namespace logitchain
