#include "logitchain/registry/field_checks.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "logitchain/core/dialect.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/proto/filters.pb.h"
#include "logitchain/proto/penalties.pb.h"
#include "logitchain/proto/shape.pb.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/tests/registry/test_configs.pb.h"

namespace logitchain {
namespace {

using ::logitchain_test::EveryField;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The problems of a config at the path "rule", as lines.
std::vector<std::string> Problems(const google::protobuf::Message& config,
                                  ChainConfig::Dialect dialect) {
  std::vector<ConfigProblem> problems;
  CheckFields(config, GetDialect(dialect), "rule", problems);
  std::vector<std::string> lines;
  for (const ConfigProblem& problem : problems) {
    lines.push_back(problem.path + " " + problem.message);
  }
  return lines;
}

template <typename Config>
std::vector<std::string> ProblemsOf(const std::string& text,
                                    ChainConfig::Dialect dialect = ChainConfig::SPEC) {
  Config config;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &config)) << text;
  return Problems(config, dialect);
}

TEST(FieldChecksTest, WhatIsNotSetIsNotChecked) {
  EXPECT_THAT(ProblemsOf<EveryField>(""), IsEmpty());
}

struct Case {
  std::string name;
  std::string text;
  std::string problem;  // Empty: none.
};

class FieldTest : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    , FieldTest,
    testing::Values(
        Case{"DoubleInside", "ranged_double: 1", ""},
        Case{"DoubleAbove", "ranged_double: 1.5",
             "rule.ranged_double is 1.5; it must be in (0, 1]"},
        Case{"DoubleOnTheOpenEnd", "ranged_double: 0",
             "rule.ranged_double is 0; it must be in (0, 1]"},
        Case{"DoubleNan", "ranged_double: nan", "rule.ranged_double is nan; it must be in (0, 1]"},
        Case{"DoubleInfinity", "ranged_double: inf",
             "rule.ranged_double is inf; it must be in (0, 1]"},
        Case{"FloatInside", "ranged_float: 0", ""},
        Case{"FloatOnTheOpenEnd", "ranged_float: 1",
             "rule.ranged_float is 1; it must be in [0, 1)"},
        Case{"FloatBelow", "ranged_float: -0.1", "rule.ranged_float is -0.1; it must be in [0, 1)"},
        Case{"FloatMinusInfinity", "ranged_float: -inf",
             "rule.ranged_float is -inf; it must be in [0, 1)"},
        Case{"FreeDouble", "free_double: -1e300", ""},
        Case{"FreeDoubleNan", "free_double: nan", "rule.free_double is nan; it must be finite"},
        Case{"FreeDoubleInfinity", "free_double: -inf",
             "rule.free_double is -inf; it must be finite"},
        Case{"FreeFloatInfinity", "free_float: inf", "rule.free_float is inf; it must be finite"},
        // Too large for a float32.
        Case{"FreeFloatOverflow", "free_float: 1e39", "rule.free_float is inf; it must be finite"},
        Case{"AnyFinite", "any_finite: -1e300", ""},
        Case{"AnyFiniteInfinity", "any_finite: inf",
             "rule.any_finite is inf; it must be in (-inf, inf)"},
        Case{"AnyFiniteNan", "any_finite: nan",
             "rule.any_finite is nan; it must be in (-inf, inf)"},
        Case{"Int32Inside", "ranged_int32: -1", ""},
        Case{"Int32Above", "ranged_int32: 6", "rule.ranged_int32 is 6; it must be in [-1, 5]"},
        Case{"Int64Inside", "ranged_int64: 9223372036854775807", ""},
        Case{"Int64Below", "ranged_int64: -9223372036854775808",
             "rule.ranged_int64 is -9223372036854775808; it must be in [0, inf)"},
        Case{"Uint32OnTheOpenEnd", "ranged_uint32: 10",
             "rule.ranged_uint32 is 10; it must be in [1, 10)"},
        Case{"Uint64Inside", "ranged_uint64: 18446744073709551615", ""},
        Case{"Uint64OnTheOpenEnd", "ranged_uint64: 10",
             "rule.ranged_uint64 is 10; it must be in (10, inf)"},
        Case{"Sint32Above", "ranged_sint32: 1", "rule.ranged_sint32 is 1; it must be in (-inf, 0]"},
        Case{"Fixed64Above", "ranged_fixed64: 4", "rule.ranged_fixed64 is 4; it must be in [0, 3]"},
        Case{"FreeInt32", "free_int32: -2147483648", ""},
        Case{"TypesThatAreNoNumbers",
             "flag: true text: 'nan' data: '9' colour: GREEN texts: ['a', 'b']", ""},
        Case{"RepeatedInside", "ranged_doubles: [0, 0.5, 1] ranged_ints: []", ""},
        Case{"OneElement", "ranged_doubles: [0, 2, 1]",
             "rule.ranged_doubles[1] is 2; it must be in [0, 1]"},
        Case{"OneInt", "ranged_ints: 5 ranged_ints: -5",
             "rule.ranged_ints[1] is -5; it must be in [0, inf)"},
        Case{"OneFreeFloat", "free_floats: [1, 2, nan]",
             "rule.free_floats[2] is nan; it must be finite"},
        Case{"Nested", "nested { x: 2 }", "rule.nested.x is 2; it must be in [0, 1]"},
        Case{"NestedTwice", "nested { nested { x: 2 } }",
             "rule.nested.nested.x is 2; it must be in [0, 1]"},
        Case{"RepeatedNested", "nesteds { x: 1 } nesteds { x: -1 }",
             "rule.nesteds[1].x is -1; it must be in [0, 1]"},
        Case{"MapValue", "free_by_name { key: 'a' value: nan }",
             "rule.free_by_name[0].value is nan; it must be finite"},
        Case{"BadDefaultThatIsSet", "bad_default: 7",
             "rule.bad_default is 7; it must be in [0, 1]"},
        Case{"RangeWithoutSense", "without_sense: 0.5",
             "rule.without_sense has a bad range in its proto: \"0 to 1\" is not an interval such "
             "as \"(0, 1]\" or \"[0, inf)\""}),
    [](const auto& info) { return info.param.name; });

TEST_P(FieldTest, IsChecked) {
  const std::vector<std::string> problems = ProblemsOf<EveryField>(GetParam().text);
  if (GetParam().problem.empty()) {
    EXPECT_THAT(problems, IsEmpty());
  } else {
    EXPECT_THAT(problems, ElementsAre(GetParam().problem));
  }
}

TEST(FieldChecksTest, EveryProblemIsReportedInTheOrderOfTheFields) {
  EXPECT_THAT(ProblemsOf<EveryField>(
                  "ranged_ints: [-1, 0, -2] nested { x: 3 } free_float: nan ranged_int32: 9"),
              ElementsAre("rule.free_float is nan; it must be finite",
                          "rule.ranged_int32 is 9; it must be in [-1, 5]",
                          "rule.ranged_ints[0] is -1; it must be in [0, inf)",
                          "rule.ranged_ints[2] is -2; it must be in [0, inf)",
                          "rule.nested.x is 3; it must be in [0, 1]"));
}

TEST(FieldChecksTest, TheParametersOfTheSpecHaveItsRanges) {
  EXPECT_THAT(ProblemsOf<TemperatureConfig>("temperature: 0"), IsEmpty());
  EXPECT_THAT(ProblemsOf<TemperatureConfig>("temperature: -0.5"),
              ElementsAre("rule.temperature is -0.5; it must be in [0, inf)"));
  EXPECT_THAT(ProblemsOf<TopKConfig>("k: 9223372036854775807"), IsEmpty());
  EXPECT_THAT(ProblemsOf<TopKConfig>("k: -1"), ElementsAre("rule.k is -1; it must be in [0, inf)"));
  EXPECT_THAT(ProblemsOf<TopKConfig>("min_keep: 0"),
              ElementsAre("rule.min_keep is 0; it must be in [1, inf)"));
  EXPECT_THAT(ProblemsOf<TopPConfig>("p: 1"), IsEmpty());
  EXPECT_THAT(ProblemsOf<TopPConfig>("p: 0"), ElementsAre("rule.p is 0; it must be in (0, 1]"));
  EXPECT_THAT(ProblemsOf<MinPConfig>("p: 0"), IsEmpty());
  EXPECT_THAT(ProblemsOf<MinPConfig>("p: 1"), IsEmpty());
  EXPECT_THAT(ProblemsOf<MinPConfig>("p: 1.1"), ElementsAre("rule.p is 1.1; it must be in [0, 1]"));
  // sgl-project/sglang#21258: dividing by 0.
  EXPECT_THAT(ProblemsOf<RepetitionPenaltyConfig>("penalty: 0"),
              ElementsAre("rule.penalty is 0; it must be in (0, inf)"));
  EXPECT_THAT(ProblemsOf<RepetitionPenaltyConfig>("penalty: 1e-300"), IsEmpty());
  EXPECT_THAT(ProblemsOf<RepetitionPenaltyConfig>("window: 1048577"),
              ElementsAre("rule.window is 1048577; it must be in [0, 1048576]"));
  EXPECT_THAT(ProblemsOf<PresenceFrequencyPenaltyConfig>("presence: -1e300 frequency: -3"),
              IsEmpty());
  EXPECT_THAT(ProblemsOf<PresenceFrequencyPenaltyConfig>("presence: nan"),
              ElementsAre("rule.presence is nan; it must be in (-inf, inf)"));
}

TEST(FieldChecksTest, ADialectMaySetAnotherRange) {
  EXPECT_THAT(ProblemsOf<TemperatureConfig>("temperature: -1", ChainConfig::LLAMA_CPP), IsEmpty());
  EXPECT_THAT(ProblemsOf<TemperatureConfig>("temperature: nan", ChainConfig::LLAMA_CPP),
              ElementsAre("rule.temperature is nan; it must be in (-inf, inf)"));
  EXPECT_THAT(ProblemsOf<TemperatureConfig>("temperature: 0", ChainConfig::HUGGING_FACE),
              ElementsAre("rule.temperature is 0; it must be in (0, inf)"));
  EXPECT_THAT(ProblemsOf<TopKConfig>("k: -1", ChainConfig::LLAMA_CPP), IsEmpty());
  EXPECT_THAT(ProblemsOf<TopKConfig>("k: 0", ChainConfig::HUGGING_FACE),
              ElementsAre("rule.k is 0; it must be in [1, inf)"));
  EXPECT_THAT(ProblemsOf<TopPConfig>("p: 1.5", ChainConfig::MINFER), IsEmpty());
  EXPECT_THAT(ProblemsOf<TopPConfig>("p: 0", ChainConfig::HUGGING_FACE), IsEmpty());
  EXPECT_THAT(ProblemsOf<PresenceFrequencyPenaltyConfig>("presence: 2.5", ChainConfig::VLLM),
              ElementsAre("rule.presence is 2.5; it must be in [-2, 2]"));
  // llama.cpp's window of −1 does not mean all, so it is refused.
  EXPECT_THAT(ProblemsOf<RepetitionPenaltyConfig>("window: -1", ChainConfig::LLAMA_CPP),
              ElementsAre("rule.window is -1; it must be in [0, 1048576]"));
}

TEST(FieldChecksTest, AFieldThatTheDialectDoesNotHave) {
  const std::string text = "temperature: 0.5 allow_small_temperature: true";
  EXPECT_THAT(ProblemsOf<TemperatureConfig>(text, ChainConfig::VLLM), IsEmpty());
  for (const auto dialect : {ChainConfig::SPEC, ChainConfig::MINFER, ChainConfig::LLAMA_CPP,
                             ChainConfig::HUGGING_FACE}) {
    EXPECT_THAT(ProblemsOf<TemperatureConfig>(text, dialect),
                ElementsAre("rule.allow_small_temperature is true; that means something in dialect "
                            "VLLM only"));
  }
  // What is so anyway may be said.
  EXPECT_THAT(ProblemsOf<TemperatureConfig>("allow_small_temperature: false"), IsEmpty());
}

TEST(FieldChecksTest, BytesOfAFieldThatIsNotKnown) {
  TopKConfig config;
  config.GetReflection()->MutableUnknownFields(&config)->AddVarint(99, 1);
  EXPECT_THAT(Problems(config, ChainConfig::SPEC),
              ElementsAre("rule has a value in field 99 that this program does not know"));
  EveryField outer;
  outer.mutable_nested()
      ->GetReflection()
      ->MutableUnknownFields(outer.mutable_nested())
      ->AddVarint(7, 1);
  EXPECT_THAT(Problems(outer, ChainConfig::SPEC),
              ElementsAre("rule.nested has a value in field 7 that this program does not know"));
}

}  // namespace
}  // namespace logitchain
