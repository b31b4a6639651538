// Sums are plain running float64 sums in a fixed order. Here most terms are so small that a running
// sum does not feel them, and a compensated, pairwise or reordered sum does.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/dialect.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/testing/chain_after.h"
#include "logitchain/tests/testing/scripted_uniforms.h"
#include "logitchain/tests/testing/status_matchers.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;

// exp(−38) = 3.1·10⁻¹⁷ is below half an ulp of 0.5, which is 5.6·10⁻¹⁷.
constexpr float kTiny = -38;
constexpr int kTinyCount = 4096;

std::vector<float> TinyBetween(const std::vector<float>& before, const std::vector<float>& after) {
  std::vector<float> logits = before;
  logits.insert(logits.end(), kTinyCount, kTiny);
  logits.insert(logits.end(), after.begin(), after.end());
  return logits;
}

TEST(SumPitfallTest, TheNormaliserIsARunningSum) {
  const auto chain = MakeChain("", kTinyCount + 1);
  // Z = 1 + 0 + 0 + …; exactly it is 1.000000000000129.
  EXPECT_EQ(chain->TokenLogprobs(TinyBetween({0}, {})).value().front(), 0);
  EXPECT_EQ(chain->Distribution(TinyBetween({0}, {})).value().front(), 1);
}

TEST(SumPitfallTest, TheNormaliserSumsInAscendingIds) {
  const auto chain = MakeChain("", kTinyCount + 1);
  // From the largest term downwards it would be 1 here too.
  EXPECT_EQ(chain->TokenLogprobs(TinyBetween({}, {0})).value().back(), -0x1.217fffffffeb9p-43);
  EXPECT_LT(chain->Distribution(TinyBetween({}, {0})).value().back(), 1);
}

TEST(SumPitfallTest, TheNucleusIsARunningSumFromTheMostLikelyTokenDownwards) {
  // The last token has 1 − 1.3·10⁻¹³, and the others add nothing to that. In exact sums, and from
  // the least likely one upwards, some 3,800 tokens reach p.
  const auto chain = MakeChain("processors { top_p { p: 0.99999999999999 } }", kTinyCount + 1);
  EXPECT_EQ(chain->Sample(TinyBetween({}, {0})).value().kept, kTinyCount + 1);
}

TEST(SumPitfallTest, TheDrawIsARunningSumInAscendingIds) {
  ChainParts parts = {.dialect = &GetDialect(ChainConfig::SPEC),
                      .vocab_size = kTinyCount + 2,
                      .generator = std::make_unique<ScriptedUniforms>(std::vector<double>{0.5})};
  Chain chain(std::move(parts));
  // Half of the mass is before the tiny ones, which do not move the sum past 0.5.
  EXPECT_EQ(chain.Draw(TinyBetween({0}, {0})).value().token, kTinyCount + 1);
}

TEST(SumPitfallTest, TheDrawSumsInFloat64) {
  ChainParts parts = {
      .dialect = &GetDialect(ChainConfig::SPEC),
      .vocab_size = 2,
      .generator = std::make_unique<ScriptedUniforms>(std::vector<double>{1 - 1e-9}),
      .wants_processed_logprob = true};
  Chain chain(std::move(parts));
  // exp(−20) = 2.06·10⁻⁹, so that the first token ends at 1 − 2.06·10⁻⁹, which in float32 is 1.
  EXPECT_EQ(chain.Draw(std::vector<float>{0, -20}).value().token, 1);
}

// l − f·c, rounded twice, against a fused multiply-add, which rounds once.
TEST(SumPitfallTest, ProductsAreRoundedBeforeTheyAreSubtracted) {
  const auto chain = ChainAfter("processors { presence_frequency_penalty { frequency: 0.1 } }", 1,
                                {.output = {0, 0, 0}});
  EXPECT_THAT(chain->Process(std::vector<float>{0.5}),
              IsOkAndHolds(ElementsAre(0x1.9999999999998p-3)));
}

}  // namespace
}  // namespace logitchain
