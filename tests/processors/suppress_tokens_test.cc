// Of the two rules suppress_tokens and begin_suppress.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/logit_checks.h"
#include "logitchain/tests/testing/process_logits.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<float> kLogits(4, 1);

std::vector<int> Kept(const std::string& rules, const SeenTokens& seen) {
  const auto processed = ProcessLogits(rules, kLogits, seen);
  EXPECT_TRUE(processed.ok()) << processed.status();
  return processed.ok() ? KeptIds(*processed) : std::vector<int>();
}

std::string ErrorOf(const std::string& rules) {
  return std::string(ProcessLogits(rules, kLogits).status().message());
}

TEST(SuppressTokensTest, BansAtEveryStep) {
  const std::string rules = "processors { suppress_tokens { ids: [1, 3, 1] } }";
  EXPECT_THAT(Kept(rules, {}), ElementsAre(0, 2));
  EXPECT_THAT(Kept(rules, {.output = {1, 0}}), ElementsAre(0, 2));
}

TEST(BeginSuppressTest, BansAtTheFirstStepOnly) {
  const std::string rules = "processors { begin_suppress { ids: [1, 3] } }";
  EXPECT_THAT(Kept(rules, {}), ElementsAre(0, 2));
  EXPECT_THAT(Kept(rules, {.prompt = {1, 2}}), ElementsAre(0, 2));
  EXPECT_THAT(Kept(rules, {.output = {0}}), ElementsAre(0, 1, 2, 3));
}

TEST(SuppressTokensTest, BanningAllIsAnError) {
  EXPECT_THAT(ErrorOf("processors { suppress_tokens { ids: [0, 1, 2] } } "
                      "processors { begin_suppress { ids: 3 } }"),
              HasSubstr("processors[1].begin_suppress: removed the only candidate"));
}

TEST(SuppressTokensTest, Errors) {
  for (const std::string rule : {"suppress_tokens", "begin_suppress"}) {
    EXPECT_THAT(ErrorOf("processors { " + rule + " {} }"), HasSubstr(rule + ".ids is empty"));
    EXPECT_THAT(ErrorOf("processors { " + rule + " { ids: 4 } }"),
                HasSubstr("ids[0] is 4; it must be in the vocabulary"));
    EXPECT_THAT(ErrorOf("processors { " + rule + " { ids: -1 } }"), HasSubstr("ids[0] is -1"));
  }
}

}  // namespace
}  // namespace logitchain
