// What implementations of the penalties get wrong. Each input gives another answer where the thing
// that the test's name denies is done.

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/tests/testing/chain_after.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;

TEST(PenaltyPitfallTest, TemperatureComesAfterThePenalties) {
  const auto chain = ChainAfter(R"pb(
                                  processors { presence_frequency_penalty { presence: 1 } }
                                  processors { temperature { temperature: 2 } }
                                )pb",
                                3, {.output = {0}});
  // Before them it would give 4/2 − 1 = 1.
  EXPECT_THAT(chain->Process(std::vector<float>{4, 2, 1}),
              IsOkAndHolds(ElementsAre((4 - 1) / 2.0, 1, 0.5)));
}

TEST(PenaltyPitfallTest, RepetitionComesBeforePresence) {
  const auto chain = ChainAfter(R"pb(
                                  processors { repetition_penalty { penalty: 2 } }
                                  processors { presence_frequency_penalty { presence: 1 } }
                                )pb",
                                2, {.output = {0}});
  // After it, it would give (3 − 1)/2 = 1.
  EXPECT_THAT(chain->Process(std::vector<float>{3, 1}), IsOkAndHolds(ElementsAre(3 / 2.0 - 1, 1)));
}

TEST(PenaltyPitfallTest, RepetitionMultipliesNegativeLogits) {
  const auto chain = ChainAfter("processors { repetition_penalty { penalty: 2 } }", 3,
                                {.prompt = {0, 1}, .output = {2}});
  // Divided, token 0 would become more likely: −1.
  EXPECT_THAT(chain->Process(std::vector<float>{-2, 3, 0}), IsOkAndHolds(ElementsAre(-4, 1.5, 0)));
}

TEST(PenaltyPitfallTest, RepetitionPenalisesOnceHoweverOftenATokenOccurs) {
  const auto chain = ChainAfter("processors { repetition_penalty { penalty: 2 } }", 3,
                                {.prompt = {0, 1, 1}, .output = {0, 0}});
  // Per occurrence, 8 would become 1 and −1 would become −4.
  EXPECT_THAT(chain->Process(std::vector<float>{8, -1, 1}), IsOkAndHolds(ElementsAre(4, -2, 1)));
}

TEST(PenaltyPitfallTest, RepetitionCountsThePrompt) {
  const auto chain =
      ChainAfter("processors { repetition_penalty { penalty: 2 } }", 2, {.prompt = {1}});
  EXPECT_THAT(chain->Process(std::vector<float>{8, 8}), IsOkAndHolds(ElementsAre(8, 4)));
}

TEST(PenaltyPitfallTest, PresenceDoesNotCountThePrompt) {
  const auto chain = ChainAfter("processors { presence_frequency_penalty { presence: 1 } }", 3,
                                {.prompt = {0, 1}, .output = {1}});
  EXPECT_THAT(chain->Process(std::vector<float>{4, 4, 4}), IsOkAndHolds(ElementsAre(4, 3, 4)));
}

TEST(PenaltyPitfallTest, FrequencyDoesNotCountThePrompt) {
  const auto chain = ChainAfter("processors { presence_frequency_penalty { frequency: 1 } }", 3,
                                {.prompt = {0, 1, 1}, .output = {1, 1}});
  EXPECT_THAT(chain->Process(std::vector<float>{4, 4, 4}), IsOkAndHolds(ElementsAre(4, 2, 4)));
}

TEST(PenaltyPitfallTest, PresenceIsTakenOffOnceAndFrequencyPerOccurrence) {
  const auto chain =
      ChainAfter("processors { presence_frequency_penalty { presence: 10 frequency: 1 } }", 2,
                 {.output = {0, 0, 0}});
  EXPECT_THAT(chain->Process(std::vector<float>{20, 20}), IsOkAndHolds(ElementsAre(7, 20)));
}

// 0.1·3 is rounded, then each of the two subtractions.
TEST(PenaltyPitfallTest, FrequencyIsTakenOffBeforePresenceAndEachRounds) {
  const auto chain =
      ChainAfter("processors { presence_frequency_penalty { presence: 0.2 frequency: 0.1 } }", 1,
                 {.output = {0, 0, 0}});
  // l − (f·c + p), (l − p) − f·c and the exact value are all 0.5.
  EXPECT_THAT(chain->Process(std::vector<float>{1}),
              IsOkAndHolds(ElementsAre(0x1.fffffffffffffp-2)));
}

TEST(PenaltyPitfallTest, EachStepStartsFromTheCallersLogits) {
  const auto chain =
      ChainAfter("processors { repetition_penalty { penalty: 2 } }", 2, {.prompt = {0}});
  const std::vector<float> logits = {8, 1};
  EXPECT_THAT(chain->Process(logits), IsOkAndHolds(ElementsAre(4, 1)));
  EXPECT_THAT(chain->Process(logits), IsOkAndHolds(ElementsAre(4, 1)));
  EXPECT_THAT(logits, ElementsAre(8, 1));
}

}  // namespace
}  // namespace logitchain
