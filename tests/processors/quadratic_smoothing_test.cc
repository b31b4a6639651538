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
const std::vector<float> kLogits = {2, 1, -1, kMinusInfinity};

std::vector<double> Processed(const std::string& rule, const std::vector<float>& logits = kLogits) {
  const auto processed =
      ProcessLogits("processors { quadratic_smoothing { " + rule + " } }", logits);
  EXPECT_TRUE(processed.ok()) << processed.status();
  return processed.value_or(std::vector<double>());
}

std::string ErrorOf(const std::string& rule, const std::vector<float>& logits = kLogits) {
  return std::string(
      ProcessLogits("dialect: HUGGING_FACE processors { quadratic_smoothing { " + rule + " } }",
                    logits)
          .status()
          .message());
}

// By hand: 2 − 0.5·1 and 2 − 0.5·9.
TEST(QuadraticSmoothingTest, Parabola) {
  EXPECT_THAT(Processed("smoothing_factor: 0.5"), ElementsAre(2, 1.5, -2.5, kMinusInfinity));
}

// By hand: 2 − 0.25·1 − 0.25·1 and 2 − 0.25·9 − 0.25·27.
TEST(QuadraticSmoothingTest, Curve) {
  EXPECT_THAT(Processed("smoothing_factor: 0.5 smoothing_curve: 2"),
              ElementsAre(2, 1.5, -7, kMinusInfinity));
  EXPECT_THAT(Processed("smoothing_factor: 0.5 smoothing_curve: 3"),
              ElementsAre(2, 1.5, -11.5, kMinusInfinity));
}

// By hand: k = −1, s = 2; 2 + 0.5/16 − 1/64, and 2 + 4.5 − 27.
TEST(QuadraticSmoothingTest, AboveThreeATokenMayOvertake) {
  EXPECT_THAT(Processed("smoothing_factor: 0.5 smoothing_curve: 5", {2, 1.75, -1}),
              ElementsAre(2, 2.015625, -20.5));
}

TEST(QuadraticSmoothingTest, TiesStayTies) {
  EXPECT_THAT(Processed("smoothing_factor: 2", {3, 1, 3, 1}), ElementsAre(3, -5, 3, -5));
}

// The cube of 2^45 is no float32 number; a parabola does not need it.
TEST(QuadraticSmoothingTest, ParabolaOfLargeDifferences) {
  EXPECT_THAT(ProcessLogits("dialect: HUGGING_FACE processors { quadratic_smoothing { "
                            "smoothing_factor: 1 } }",
                            {0, -0x1p45f})
                  .value(),
              ElementsAre(0, -0x1p90));
}

TEST(QuadraticSmoothingTest, ZeroIsOff) {
  EXPECT_THAT(Processed("smoothing_factor: 0 smoothing_curve: 3"),
              ElementsAre(2, 1, -1, kMinusInfinity));
}

TEST(QuadraticSmoothingTest, RemovedMaximumDoesNotCount) {
  EXPECT_THAT(ProcessLogits("processors { suppress_tokens { ids: 0 } } "
                            "processors { quadratic_smoothing { smoothing_factor: 0.5 } }",
                            kLogits)
                  .value(),
              ElementsAre(kMinusInfinity, 1, -1, kMinusInfinity));
}

TEST(QuadraticSmoothingTest, Errors) {
  EXPECT_THAT(ErrorOf("smoothing_factor: -1"), HasSubstr("smoothing_factor is -1"));
  EXPECT_THAT(ErrorOf("smoothing_factor: 1 smoothing_curve: 0.5"),
              HasSubstr("smoothing_curve is 0.5; it must be in [1, inf)"));
  EXPECT_THAT(
      ErrorOf("smoothing_factor: 1", {0, -1e30f}),
      HasSubstr("processors[0].quadratic_smoothing: the logit of token 1 would become -inf"));
}

}  // namespace
}  // namespace logitchain
