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

std::vector<double> Processed(const std::string& rule, const SeenTokens& seen) {
  const auto processed =
      ProcessLogits("processors { forced_tokens { " + rule + " } }", kLogits, seen);
  EXPECT_TRUE(processed.ok()) << processed.status();
  return processed.value_or(std::vector<double>());
}

std::string ErrorOf(const std::string& rules) {
  return std::string(ProcessLogits(rules, kLogits).status().message());
}

TEST(ForcedTokensTest, First) {
  EXPECT_THAT(Processed("first_id: 1", {}), ElementsAre(kRemoved, 0, kRemoved, kRemoved));
  EXPECT_THAT(Processed("first_id: 1", {.prompt = {0, 0}}),
              ElementsAre(kRemoved, 0, kRemoved, kRemoved));
  EXPECT_THAT(Processed("first_id: 1", {.output = {1}}), ElementsAre(1, 2, 3, kRemoved));
}

TEST(ForcedTokensTest, Last) {
  const std::string rule = "last_id: 2 max_length: 3";
  EXPECT_THAT(Processed(rule, {.prompt = {0}}), ElementsAre(1, 2, 3, kRemoved));
  EXPECT_THAT(Processed(rule, {.prompt = {0}, .output = {0}}),
              ElementsAre(kRemoved, kRemoved, 0, kRemoved));
  EXPECT_THAT(Processed(rule, {.prompt = {0}, .output = {0, 2}}), ElementsAre(1, 2, 3, kRemoved));
}

TEST(ForcedTokensTest, LastWinsOverFirst) {
  const std::string rule = "first_id: 1 last_id: 2 max_length: 2";
  EXPECT_THAT(Processed(rule, {.prompt = {0}}), ElementsAre(kRemoved, kRemoved, 0, kRemoved));
  EXPECT_THAT(Processed(rule, {}), ElementsAre(kRemoved, 0, kRemoved, kRemoved));
}

TEST(ForcedTokensTest, RemovedTokensDoNotComeBack) {
  EXPECT_THAT(ErrorOf("processors { forced_tokens { first_id: 3 } }"),
              HasSubstr("processors[0].forced_tokens: removed all 3 candidates"));
  EXPECT_THAT(ErrorOf("processors { suppress_tokens { ids: 1 } } "
                      "processors { forced_tokens { first_id: 1 } }"),
              HasSubstr("processors[1].forced_tokens: removed all 2 candidates"));
}

TEST(ForcedTokensTest, Errors) {
  EXPECT_THAT(ErrorOf("processors { forced_tokens {} }"),
              HasSubstr("forces nothing; it must have first_id or last_id"));
  EXPECT_THAT(ErrorOf("processors { forced_tokens { last_id: 1 } }"),
              HasSubstr("must have both of last_id and max_length"));
  EXPECT_THAT(ErrorOf("processors { forced_tokens { first_id: 1 max_length: 4 } }"),
              HasSubstr("must have both of last_id and max_length"));
  EXPECT_THAT(ErrorOf("processors { forced_tokens { first_id: 4 } }"),
              HasSubstr("first_id is 4; it must be in the vocabulary"));
  EXPECT_THAT(ErrorOf("processors { forced_tokens { last_id: 4 max_length: 4 } }"),
              HasSubstr("last_id is 4; it must be in the vocabulary"));
  EXPECT_THAT(ErrorOf("processors { forced_tokens { first_id: -1 } }"),
              HasSubstr("first_id is -1"));
  EXPECT_THAT(ErrorOf("processors { forced_tokens { last_id: 1 max_length: 0 } }"),
              HasSubstr("max_length is 0; it must be in [1, inf)"));
}

}  // namespace
}  // namespace logitchain
