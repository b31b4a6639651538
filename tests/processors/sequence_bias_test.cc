#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/process_logits.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr double kRemoved = kMinusInfinity;
const std::vector<float> kLogits = {1, 2, 3, kMinusInfinity};

std::vector<double> Processed(const std::string& rule, const SeenTokens& seen,
                              const std::string& head = "") {
  const auto processed =
      ProcessLogits(head + " processors { sequence_bias { " + rule + " } }", kLogits, seen);
  EXPECT_TRUE(processed.ok()) << processed.status();
  return processed.value_or(std::vector<double>());
}

std::string ErrorOf(const std::string& rule) {
  return std::string(
      ProcessLogits("processors { sequence_bias { " + rule + " } }", kLogits).status().message());
}

TEST(SequenceBiasTest, OneToken) {
  EXPECT_THAT(Processed("sequences { ids: 1 bias: 0.5 }", {}), ElementsAre(1, 2.5, 3, kRemoved));
}

TEST(SequenceBiasTest, PrefixMustMatch) {
  const std::string rule = "sequences { ids: [0, 1] bias: -2 }";
  EXPECT_THAT(Processed(rule, {}), ElementsAre(1, 2, 3, kRemoved));
  EXPECT_THAT(Processed(rule, {.output = {0}}), ElementsAre(1, 0, 3, kRemoved));
  EXPECT_THAT(Processed(rule, {.output = {0, 2}}), ElementsAre(1, 2, 3, kRemoved));
}

TEST(SequenceBiasTest, BiasesOfOneTokenAddUp) {
  EXPECT_THAT(Processed("sequences { ids: 1 bias: 0.5 } sequences { ids: 1 bias: 0.25 } "
                        "sequences { ids: [0, 1] bias: 2 }",
                        {.output = {0}}),
              ElementsAre(1, 4.75, 3, kRemoved));
}

// 2^24 and 1 have no float32 sum but 2^24; added to the logit one by one they would give another.
TEST(SequenceBiasTest, BiasesAreSummedFirstInTheDialectsArithmetic) {
  const std::string rule =
      "sequences { ids: 0 bias: 16777216 } sequences { ids: 0 bias: 1 } "
      "sequences { ids: 0 bias: -16777216 }";
  EXPECT_THAT(Processed(rule, {}, "dialect: HUGGING_FACE"), ElementsAre(1, 2, 3, kRemoved));
  EXPECT_THAT(Processed(rule, {}), ElementsAre(2, 2, 3, kRemoved));
}

TEST(SequenceBiasTest, MinusInfinityBans) {
  const std::string rule = "sequences { ids: [0, 1] bias: -inf } sequences { ids: 2 bias: 1 }";
  EXPECT_THAT(Processed(rule, {.output = {0}}), ElementsAre(1, kRemoved, 4, kRemoved));
  EXPECT_THAT(Processed(rule, {}), ElementsAre(1, 2, 4, kRemoved));
}

TEST(SequenceBiasTest, RemovedTokensStayRemoved) {
  EXPECT_THAT(Processed("sequences { ids: 3 bias: 100 }", {}), ElementsAre(1, 2, 3, kRemoved));
}

TEST(SequenceBiasTest, Errors) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("sequence_bias.sequences is empty"));
  EXPECT_THAT(ErrorOf("sequences { bias: 1 }"), HasSubstr("sequences[0].ids is empty"));
  EXPECT_THAT(ErrorOf("sequences { ids: 1 }"), HasSubstr("sequences[0].bias is not set"));
  EXPECT_THAT(ErrorOf("sequences { ids: 4 bias: 1 }"),
              HasSubstr("sequences[0].ids[0] is 4; it must be in the vocabulary"));
  EXPECT_THAT(ErrorOf("sequences { ids: 1 bias: inf }"), HasSubstr("bias is inf"));
  EXPECT_THAT(ErrorOf("sequences { ids: 1 bias: nan }"), HasSubstr("bias is nan"));
  EXPECT_THAT(ErrorOf("sequences { ids: 1 bias: 1e308 } sequences { ids: 1 bias: 1e308 }"),
              HasSubstr("the logit of token 1 would become inf"));
  EXPECT_THAT(ErrorOf("sequences { ids: 0 bias: -inf } sequences { ids: 1 bias: -inf } "
                      "sequences { ids: 2 bias: -inf }"),
              HasSubstr("removed all 3 candidates"));
}

}  // namespace
}  // namespace logitchain
