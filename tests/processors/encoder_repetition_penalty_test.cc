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
const std::vector<float> kLogits = {2, -2, 0, kMinusInfinity, 5};

std::vector<double> Processed(const std::string& rule) {
  const auto processed =
      ProcessLogits("processors { encoder_repetition_penalty { " + rule + " } }", kLogits);
  EXPECT_TRUE(processed.ok()) << processed.status();
  return processed.value_or(std::vector<double>());
}

std::string ErrorOf(const std::string& rule) {
  return std::string(
      ProcessLogits("processors { encoder_repetition_penalty { " + rule + " } }", kLogits)
          .status()
          .message());
}

TEST(EncoderRepetitionPenaltyTest, FavoursTheTextOnceAToken) {
  EXPECT_THAT(Processed("penalty: 2 text_ids: [0, 1, 2, 3, 0, 1]"),
              ElementsAre(4, -1, 0, kMinusInfinity, 5));
}

TEST(EncoderRepetitionPenaltyTest, BelowOneDisfavours) {
  EXPECT_THAT(Processed("penalty: 0.5 text_ids: [0, 1]"), ElementsAre(1, -4, 0, kMinusInfinity, 5));
}

TEST(EncoderRepetitionPenaltyTest, OffWithoutTextOrAtOne) {
  EXPECT_THAT(Processed("penalty: 2"), ElementsAre(2, -2, 0, kMinusInfinity, 5));
  EXPECT_THAT(Processed("penalty: 1 text_ids: 0"), ElementsAre(2, -2, 0, kMinusInfinity, 5));
}

TEST(EncoderRepetitionPenaltyTest, Errors) {
  EXPECT_THAT(ErrorOf("penalty: 0"), HasSubstr("penalty is 0; it must be in (0, inf)"));
  EXPECT_THAT(ErrorOf("text_ids: 5"), HasSubstr("text_ids[0] is 5; it must be in the vocabulary"));
  EXPECT_THAT(ErrorOf("text_ids: -1"), HasSubstr("text_ids[0] is -1"));
  EXPECT_THAT(ErrorOf("penalty: 1e308 text_ids: 4"),
              HasSubstr("the logit of token 4 would become"));
}

}  // namespace
}  // namespace logitchain
