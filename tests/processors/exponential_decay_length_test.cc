#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/testing/process_logits.h"

namespace logitchain {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
const std::vector<float> kLogits = {0.05f, -2, 0, kMinusInfinity};

std::vector<double> Processed(const std::string& rule, size_t output_size,
                              const std::string& head = "") {
  const auto processed =
      ProcessLogits(head + " processors { exponential_decay_length { " + rule + " } }", kLogits,
                    {.prompt = {0, 0}, .output = std::vector<TokenId>(output_size, 1)});
  EXPECT_TRUE(processed.ok()) << processed.status();
  return processed.value_or(std::vector<double>());
}

std::string ErrorOf(const std::string& rule) {
  return std::string(
      ProcessLogits("processors { exponential_decay_length { " + rule + " } }", kLogits)
          .status()
          .message());
}

const char kRule[] = "start: 5 factor: 1.1 stop_ids: [0, 1, 2, 3]";

TEST(ExponentialDecayLengthTest, NothingUpToStart) {
  EXPECT_THAT(Processed(kRule, 5), ElementsAre(kLogits[0], -2, 0, kMinusInfinity));
}

// By Python: l + abs(l) * (1.1 ** n - 1).
TEST(ExponentialDecayLengthTest, GrowsAfterwards) {
  EXPECT_THAT(Processed(kRule, 6),
              ElementsAre(DoubleNear(0.055, 1e-8), DoubleNear(-1.8, 1e-12), 0, kMinusInfinity));
  EXPECT_THAT(Processed(kRule, 18),
              ElementsAre(DoubleNear(0.1726135607, 1e-8), DoubleNear(2.9045424287862076, 1e-12), 0,
                          kMinusInfinity));
}

TEST(ExponentialDecayLengthTest, FactorsBelowOneLower) {
  EXPECT_THAT(Processed("factor: 0.5 stop_ids: 1", 2),
              ElementsAre(kLogits[0], -3.5, 0, kMinusInfinity));
}

TEST(ExponentialDecayLengthTest, RepeatedStopIdsAreRaisedOnce) {
  EXPECT_THAT(Processed("factor: 2 stop_ids: [1, 1]", 1),
              ElementsAre(kLogits[0], 0, 0, kMinusInfinity));
}

TEST(ExponentialDecayLengthTest, StaysFinite) {
  for (const std::string head : {"", "dialect: HUGGING_FACE"}) {
    const std::vector<double> processed = Processed("factor: 1000 stop_ids: [0, 1, 2]", 5000, head);
    EXPECT_GE(processed[0], 1e28);
    EXPECT_TRUE(std::isfinite(processed[0]));
    EXPECT_NEAR(processed[1], 1e30, 1e23);
    EXPECT_EQ(processed[2], 0);
  }
}

TEST(ExponentialDecayLengthTest, OneIsOff) {
  EXPECT_THAT(Processed("factor: 1", 9), ElementsAre(kLogits[0], -2, 0, kMinusInfinity));
}

TEST(ExponentialDecayLengthTest, Errors) {
  EXPECT_THAT(ErrorOf("factor: 0 stop_ids: 0"), HasSubstr("factor is 0; it must be in (0, inf)"));
  EXPECT_THAT(ErrorOf("factor: inf stop_ids: 0"), HasSubstr("factor is inf"));
  EXPECT_THAT(ErrorOf("factor: 2 start: -1 stop_ids: 0"), HasSubstr("start is -1"));
  EXPECT_THAT(ErrorOf("factor: 2"), HasSubstr("stop_ids is empty"));
  EXPECT_THAT(ErrorOf("factor: 2 stop_ids: 4"), HasSubstr("stop_ids[0] is 4"));
}

}  // namespace
}  // namespace logitchain
