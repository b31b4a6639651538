// Expected temperatures are from a Python transcription of the formula.

#include "logitchain/processors/dynamic_temperature.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/tests/testing/rule_testing.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr float kLog3 = 0x1.193ea8p0f;

std::string DynamicChain(double temperature, double range, double exponent = 1) {
  return absl::StrCat("processors { dynamic_temperature { temperature: ", temperature,
                      " range: ", range, " exponent: ", exponent, " } } ");
}

// The number that the logits were divided by.
double Divisor(const std::string& textproto, const std::vector<float>& logits) {
  const std::vector<double> processed = Processed(textproto, logits);
  for (size_t i = 0; i < logits.size(); ++i) {
    EXPECT_NEAR(processed[i] * logits[0], processed[0] * logits[i], 1e-12);
  }
  return logits[0] / processed[0];
}

TEST(DynamicTemperatureTest, MatchesThePythonTranscription) {
  EXPECT_NEAR(Divisor(DynamicChain(1, 0.5), {kLog3, 0}), 1.3112781185648292, 1e-14);
  EXPECT_NEAR(Divisor(DynamicChain(1, 0.5, 2), {kLog3, 0}), 1.1581721856620892, 1e-14);
  EXPECT_NEAR(Divisor(DynamicChain(1, 0.5), StepLogits(0)), 1.084727908950496, 1e-14);
  EXPECT_NEAR(Divisor(DynamicChain(1, 0.5), StepLogits(1)), 1.06173000583145, 1e-14);
  EXPECT_NEAR(Divisor(DynamicChain(0.7, 0.9, 2), StepLogits(0)), 0.5470507640089912, 1e-14);
  EXPECT_NEAR(Divisor(DynamicChain(0.7, 0.9, 2), StepLogits(1)), 0.5048649591222415, 1e-14);
}

TEST(DynamicTemperatureTest, LlamaCppIsFloat32AndCountsPlaces) {
  const std::string chain = "dialect: LLAMA_CPP " + DynamicChain(1, 0.5);
  EXPECT_THAT(Processed(chain, std::vector<float>{0, kLog3}), ElementsAre(0, 0x1.acf678p-1));
  EXPECT_THAT(
      Processed("dialect: LLAMA_CPP " + DynamicChain(0.7, 0.2, 2), std::vector<float>{0, kLog3}),
      ElementsAre(0, 0x1.70795ap0));
  const float removed = -kInfinity;
  EXPECT_THAT(Processed(chain, std::vector<float>{removed, 0, kLog3, removed}),
              ElementsAre(removed, 0, 0x1.368c64p0, removed));
}

TEST(DynamicTemperatureTest, RemovedTokensDoNotCountElsewhere) {
  const float removed = -kInfinity;
  EXPECT_THAT(
      Processed(DynamicChain(1, 0.5), std::vector<float>{removed, 0, kLog3, removed}),
      ElementsAre(removed, 0, testing::DoubleNear(kLog3 / 1.3112781185648292, 1e-14), removed));
}

TEST(DynamicTemperatureTest, EqualLogitsGetTheHighestTemperature) {
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Processed(dialect + DynamicChain(1.5, 0.5), std::vector<float>{3, 3}),
                ElementsAre(1.5, 1.5))
        << dialect;
  }
}

TEST(DynamicTemperatureTest, ACertainTokenGetsTheLowestTemperature) {
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Processed(dialect + DynamicChain(1.5, 1), std::vector<float>{3, -2000}),
                ElementsAre(6, -4000))
        << dialect;
  }
}

TEST(DynamicTemperatureTest, AtTemperatureZeroOnlyTheFirstMaximumStays) {
  for (const std::string& dialect : EveryDialect()) {
    const std::string chain = dialect + DynamicChain(1, 1);
    EXPECT_THAT(Survivors(chain, std::vector<float>{-2000, 3, -2000}), ElementsAre(1)) << dialect;
    EXPECT_THAT(Survivors(chain, std::vector<float>{3, 3, -2000}), ElementsAre(0, 1, 2)) << dialect;
    // So small that a quotient overflows; in float32 its probability is 0 or a subnormal.
    EXPECT_THAT(Survivors(chain, std::vector<float>{-100, 3}).size(),
                dialect == "dialect: SPEC " ? 2 : 1)
        << dialect;
    EXPECT_THAT(Survivors(chain, std::vector<float>{-739, 3, -2000}), ElementsAre(1)) << dialect;
  }
}

TEST(DynamicTemperatureTest, TheDrawGoesOnAtTemperatureZero) {
  for (const std::string& dialect : EveryDialect()) {
    const std::unique_ptr<Chain> chain = MakeChain(dialect + DynamicChain(1, 1), 2);
    EXPECT_EQ(chain->Sample(std::vector<float>{-2000, 3})->token, 1);
    EXPECT_EQ(chain->draws(), 1) << dialect;
  }
}

TEST(DynamicTemperatureTest, OneCandidateIsLeftAlone) {
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Processed(dialect + DynamicChain(1, 1), std::vector<float>{3}), ElementsAre(3))
        << dialect;
  }
}

TEST(DynamicTemperatureTest, RangeZeroIsAFixedTemperature) {
  EXPECT_THAT(Processed(DynamicChain(0.5, 0), std::vector<float>{1, 3}), ElementsAre(2, 6));
  EXPECT_THAT(Processed(DynamicChain(1, 0), std::vector<float>{1, 3}), ElementsAre(1, 3));
  EXPECT_THAT(Processed("processors { dynamic_temperature {} }", std::vector<float>{1, 3}),
              ElementsAre(1, 3));
  const std::unique_ptr<Chain> chain = MakeChain(DynamicChain(0, 0), 2);
  EXPECT_TRUE(chain->Sample(std::vector<float>{1, 3})->greedy);
  EXPECT_THAT(Survivors("dialect: LLAMA_CPP " + DynamicChain(0, 0), std::vector<float>{1, 3}),
              ElementsAre(1));
  EXPECT_THAT(Survivors("dialect: LLAMA_CPP " + DynamicChain(-2, 1), std::vector<float>{1, 3}),
              ElementsAre(1));
}

TEST(DynamicTemperatureTest, Errors) {
  EXPECT_THAT(Refusal(DynamicChain(-1, 0.5), 4),
              HasSubstr("dynamic_temperature.temperature is -1; it must be in [0, inf)"));
  EXPECT_THAT(Refusal(DynamicChain(1, -0.5), 4),
              HasSubstr("dynamic_temperature.range is -0.5; it must be in [0, inf)"));
  EXPECT_THAT(Refusal("dialect: VLLM " + DynamicChain(0.001, 0), 4),
              HasSubstr("dynamic_temperature.temperature is 0.001; this dialect raises a "
                        "temperature in [1e-05, 0.01) to 0.01: give another"));
}

}  // namespace
}  // namespace logitchain
