// What implementations of the draw get wrong. Each input gives another answer where the thing that
// the test's name denies is done.

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/testing/scripted_uniforms.h"
#include "logitchain/tests/testing/status_matchers.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr double kLargestUniform = 1 - 0x1p-53;

// The token that a draw with this uniform takes.
TokenId TokenAt(double u, const std::vector<float>& logits) {
  ChainParts parts = {.dialect = &GetDialect(ChainConfig::SPEC),
                      .vocab_size = static_cast<int32_t>(logits.size()),
                      .generator = std::make_unique<ScriptedUniforms>(std::vector<double>{u})};
  return Chain(std::move(parts)).Draw(logits).value().token;
}

double Below(double value) { return std::nextafter(value, 0); }

TEST(GreedyPitfallTest, TemperatureZeroTakesNoUniform) {
  const auto chain = MakeChain("processors { temperature { temperature: 0 } }", 3);
  const Sample sample = chain->Sample(std::vector<float>{1, 3, 2}).value();
  EXPECT_EQ(sample.token, 1);
  EXPECT_TRUE(sample.greedy);
  EXPECT_EQ(sample.uniform, std::nullopt);
  EXPECT_EQ(sample.kept, 1);
  EXPECT_EQ(chain->draws(), 0);
}

TEST(GreedyPitfallTest, AGreedyDrawTakesNoUniform) {
  const auto chain = MakeChain("draw { greedy {} }", 3);
  EXPECT_TRUE(chain->Sample(std::vector<float>{1, 3, 2}).value().greedy);
  EXPECT_EQ(chain->draws(), 0);
}

TEST(GreedyPitfallTest, EverySampledTokenTakesOneUniformEvenWhereOnlyOneIsLeft) {
  const auto chain = MakeChain("processors { top_k { k: 1 } }", 3);
  EXPECT_FALSE(chain->Sample(std::vector<float>{1, 3, 2}).value().greedy);
  EXPECT_EQ(chain->draws(), 1);
}

TEST(LogprobPitfallTest, FiltersDoNotChangeTheLogprob) {
  const auto chain = MakeChain(R"pb(
                                 processors { top_k { k: 1 } }
                                 logprobs: PENALISED
                               )pb",
                               2);
  const std::vector<float> logits = {1, 1};
  const double log_half = std::log(0.5);  // Of the distribution after top-k it would be 0.
  EXPECT_THAT(chain->TokenLogprobs(logits), IsOkAndHolds(ElementsAre(log_half, log_half)));
  EXPECT_EQ(chain->Sample(logits).value().penalised_logprob, log_half);
}

TEST(LogprobPitfallTest, TemperatureDoesNotChangeTheLogprob) {
  const auto chain = MakeChain(R"pb(
                                 processors { temperature { temperature: 0.5 } }
                                 logprobs: PENALISED
                               )pb",
                               2);
  const std::vector<float> logits = {2, 1};
  // At T = 0.5 they would be −0.1269 and −2.1269.
  EXPECT_THAT(chain->TokenLogprobs(logits),
              IsOkAndHolds(ElementsAre(DoubleNear(-0.313261687518, 1e-12),
                                       DoubleNear(-1.313261687518, 1e-12))));
}

// The generator of seed s is PCG32 with mix64(s + 4·0x9E3779B97F4A7C15) as its seed, on sequence 4.
// The expected values are tests/spec/sampling_spec.py's.
TEST(SeedPitfallTest, UniformsComeFromTheSubStreamSample) {
  struct Case {
    uint64_t seed;
    double uniform;
    double of_plain_seed;  // On the default sequence.
    double of_default_sequence;
  };
  const Case cases[] = {
      {0, 0x1.9aac30ff7d566p-1, 0x1.1f0a2e5cc7b50p-2, 0x1.016fd14c2a748p-1},
      {1, 0x1.928a55b397d6dp-1, 0x1.36d7bb430c7f1p-1, 0x1.8e0d5d71b0050p-3},
      {42, 0x1.ab4944303ef23p-1, 0x1.42b8055ed1fd0p-1, 0x1.8b1baefb26522p-1},
      {0xFFFFFFFFFFFFFFFF, 0x1.82f88e61f7a10p-4, 0x1.152627cdb04c8p-4, 0x1.0ebb8dd6bf528p-4},
  };
  for (const Case& c : cases) {
    const auto chain = MakeChain(absl::StrCat("draw { seed: ", c.seed, " }"), 4);
    const double uniform = chain->Sample(std::vector<float>{1, 1, 1, 1}).value().uniform.value();
    EXPECT_EQ(uniform, c.uniform) << "seed " << c.seed;
    EXPECT_NE(uniform, c.of_plain_seed);
    EXPECT_NE(uniform, c.of_default_sequence);
  }
}

TEST(SeedPitfallTest, NoSeedMeansZero) {
  const auto chain = MakeChain("", 4);
  EXPECT_EQ(chain->Sample(std::vector<float>{1, 1, 1, 1}).value().uniform, 0x1.9aac30ff7d566p-1);
}

TEST(InverseCdfPitfallTest, ATokenBeginsWithItsLowerBoundaryAndEndsBelowItsUpperOne) {
  const std::vector<float> quarters = {7, 7, 7, 7};
  struct Case {
    double u;
    TokenId token;
  };
  const Case cases[] = {
      {0, 0},   {0x1p-53, 0},     {Below(0.25), 0}, {0.25, 1},     {Below(0.5), 1},
      {0.5, 2}, {Below(0.75), 2}, {0.75, 3},        {Below(1), 3}, {kLargestUniform, 3},
  };
  for (const Case& c : cases) EXPECT_EQ(TokenAt(c.u, quarters), c.token) << "u = " << c.u;
}

// A large vocabulary need not be walked from its first token; the token must be the same.
TEST(InverseCdfPitfallTest, InALargeVocabularyTheBoundariesAreTheSame) {
  std::vector<float> logits(40000, -800);  // exp(−800) is 0.
  const std::vector<TokenId> quarters = {7, 9999, 20000, 39999};
  for (const TokenId id : quarters) logits[id] = 7;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(TokenAt(i * 0.25, logits), quarters[i]);
    EXPECT_EQ(TokenAt(i * 0.25 + 0.1, logits), quarters[i]);
    EXPECT_EQ(TokenAt(Below(i * 0.25 + 0.25), logits), quarters[i]);
  }
}

TEST(InverseCdfPitfallTest, ARemovedTokenIsNeverDrawn) {
  const std::vector<float> logits = {kMinusInfinity, 0, kMinusInfinity, 0, kMinusInfinity};
  EXPECT_EQ(TokenAt(0, logits), 1);
  EXPECT_EQ(TokenAt(Below(0.5), logits), 1);
  EXPECT_EQ(TokenAt(0.5, logits), 3);
  EXPECT_EQ(TokenAt(kLargestUniform, logits), 3);
}

// exp(−800) underflows to 0: such a token is kept, and has no share of [0, 1).
TEST(InverseCdfPitfallTest, ATokenOfProbabilityZeroIsNeverDrawn) {
  const std::vector<float> logits = {-800, 0, -800, 0, -800};
  EXPECT_EQ(TokenAt(0, logits), 1);
  EXPECT_EQ(TokenAt(0.5, logits), 3);
  EXPECT_EQ(TokenAt(kLargestUniform, logits), 3);
}

// Ten times 0.1 is 1 − 2⁻⁵³, which is not above the largest uniform.
TEST(InverseCdfPitfallTest, PastTheLastSumItIsTheLastTokenWithAProbability) {
  std::vector<float> logits(10, 0);
  EXPECT_EQ(TokenAt(kLargestUniform, logits), 9);
  logits.push_back(-800);
  logits.push_back(kMinusInfinity);
  EXPECT_EQ(TokenAt(kLargestUniform, logits), 9);
}

// 20,000 draws against probabilities worked out by hand. Of right draws one seed in a thousand
// exceeds the bound, chi-square's 0.999 quantile with 7 degrees of freedom; this one does not.
TEST(ChiSquarePitfallTest, DrawsFollowTheDistribution) {
  constexpr int kDraws = 20000;
  constexpr double kBound = 24.32;
  const std::vector<double> expected = {0.25, 0.05, 0.2, 0.02, 0.18, 0, 0.1, 0.12, 0.08, 0};
  std::vector<float> logits;
  for (const double q : expected) {
    // At T = 0.5 a logit counts twice. Token 5 is removed by the caller, token 9 by min-p.
    logits.push_back(q > 0 ? static_cast<float>(std::log(q) / 2) : kMinusInfinity);
  }
  logits[9] = static_cast<float>(std::log(0.001) / 2);
  const auto chain = MakeChain(R"pb(
                                 processors { temperature { temperature: 0.5 } }
                                 processors { min_p { p: 0.01 } }
                                 draw { seed: 20000 }
                               )pb",
                               10);
  EXPECT_THAT(chain->Distribution(logits), IsOkAndHolds(Pointwise(DoubleNear(1e-6), expected)));

  std::vector<int> counts(expected.size());
  for (int i = 0; i < kDraws; ++i) ++counts[chain->Sample(logits).value().token];
  double chi_square = 0;
  for (size_t id = 0; id < expected.size(); ++id) {
    const double mean = kDraws * expected[id];
    if (mean == 0) {
      EXPECT_EQ(counts[id], 0) << "token " << id;
    } else {
      chi_square += (counts[id] - mean) * (counts[id] - mean) / mean;
    }
  }
  EXPECT_LT(chi_square, kBound) << testing::PrintToString(counts);
  EXPECT_EQ(chain->draws(), kDraws);
}

}  // namespace
}  // namespace logitchain
