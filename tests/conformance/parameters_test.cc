#include "logitchain/testing/conformance/parameters.h"

#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/dialect.h"
#include "logitchain/proto/bias.pb.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/proto/filters.pb.h"
#include "logitchain/proto/penalties.pb.h"
#include "logitchain/proto/shape.pb.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Dialect& Spec() { return GetDialect(ChainConfig::SPEC); }

std::vector<std::string> Paths(google::protobuf::Message& config) {
  std::vector<std::string> paths;
  for (const Parameter& parameter : ParametersOf(config, "rule")) paths.push_back(parameter.path);
  return paths;
}

TEST(ParametersOfTest, AreTheNumbersThatAreThereAndThatCouldBe) {
  TopPConfig top_p;
  EXPECT_THAT(Paths(top_p), ElementsAre("rule.p", "rule.min_keep"));
  LogitBiasConfig bias;
  EXPECT_THAT(Paths(bias), IsEmpty());
  bias.add_token();
  EXPECT_THAT(Paths(bias), ElementsAre("rule.token[0].id", "rule.token[0].bias"));
}

TEST(SetParameterTest, SetsANumberAndAppendsToAList) {
  EncoderRepetitionPenaltyConfig config;
  config.add_text_ids(3);
  const std::vector<Parameter> parameters = ParametersOf(config, "rule");
  EXPECT_EQ(SetParameter(parameters[0], "1.5"), "rule.penalty");
  EXPECT_EQ(SetParameter(parameters[1], "-1"), "rule.text_ids[1]");
  EXPECT_EQ(config.ShortDebugString(), "penalty: 1.5 text_ids: 3 text_ids: -1");
}

TEST(ValuesTest, OfAHalfOpenIntervalOfReals) {
  TopPConfig config;
  const Parameter p = ParametersOf(config, "")[0];  // (0, 1]
  EXPECT_THAT(ValuesOutside(p, Spec()),
              ElementsAre("nan", "0", "1.0000000000000002", "-inf", "inf"));
  EXPECT_THAT(ValuesAtTheEnds(p, Spec()), ElementsAre("4.9406564584124654e-324", "1"));
}

TEST(ValuesTest, OfIntegersFromOneOn) {
  TopPConfig config;
  const Parameter min_keep = ParametersOf(config, "")[1];  // [1, inf)
  EXPECT_THAT(ValuesOutside(min_keep, Spec()), ElementsAre("0"));
  EXPECT_THAT(ValuesAtTheEnds(min_keep, Spec()), ElementsAre("1", "2147483647"));
}

TEST(ValuesTest, OfAnIntervalWithMinusInfinity) {
  LogitBiasConfig config;
  config.add_token();
  const Parameter bias = ParametersOf(config, "")[1];  // [-inf, inf)
  EXPECT_THAT(ValuesOutside(bias, Spec()), ElementsAre("nan", "inf", "inf"));
  EXPECT_THAT(ValuesAtTheEnds(bias, Spec()), ElementsAre("-inf", "1.7976931348623157e+308"));
}

TEST(ValuesTest, FollowTheDialect) {
  TemperatureConfig config;
  const Parameter temperature = ParametersOf(config, "")[0];
  // HUGGING_FACE has (0, inf) in place of [0, inf).
  EXPECT_THAT(ValuesOutside(temperature, GetDialect(ChainConfig::HUGGING_FACE)),
              ElementsAre("nan", "0", "inf", "-inf", "inf"));
}

TEST(SetOffTest, SetsAllThatHaveAnOffValue) {
  DynamicTemperatureConfig config;
  config.set_temperature(2);
  config.set_exponent(3);
  EXPECT_THAT(SetOff(Spec(), config), IsOkAndHolds(true));
  EXPECT_EQ(config.ShortDebugString(), "temperature: 1 range: 0 exponent: 3");
}

TEST(SetOffTest, IsFalseWhereTheDialectTakesNoOffValue) {
  EpsilonCutoffConfig config;
  EXPECT_THAT(SetOff(GetDialect(ChainConfig::HUGGING_FACE), config), IsOkAndHolds(false));
}

TEST(SetOffTest, IsFalseWithoutOffValues) {
  SequenceBiasConfig config;
  EXPECT_THAT(SetOff(Spec(), config), IsOkAndHolds(false));
}

}  // namespace
}  // namespace logitchain
