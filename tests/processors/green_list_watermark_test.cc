// Of the watermark and its detector.

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"
#include "logitchain/processors/green_list.h"
#include "logitchain/processors/watermark_detector.h"
#include "logitchain/proto/bias.pb.h"
#include "logitchain/tests/testing/process_logits.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr uint64_t kKey = 15485863;

GreenListWatermarkConfig Config(double gamma, uint64_t key = kKey) {
  GreenListWatermarkConfig config;
  config.set_gamma(gamma);
  config.set_key(key);
  return config;
}

// Tokens that a chain draws from equal logits.
std::vector<TokenId> Generate(const std::string& rules, int count) {
  const auto chain = ParseChain(rules, {.vocab_size = 1000});
  EXPECT_TRUE(chain.ok()) << chain.status();
  const std::vector<float> logits(1000, 0);
  std::vector<TokenId> tokens;
  for (int i = 0; i < count; ++i) tokens.push_back((*chain)->Sample(logits)->token);
  return tokens;
}

// By Python from the formula in green_list.h.
TEST(GreenListTest, PinnedBits) {
  std::string bits;
  for (TokenId id = 0; id < 32; ++id) {
    bits += GreenList(kKey, 0.5, /*previous=*/7).IsGreen(id) ? '1' : '0';
  }
  EXPECT_EQ(bits, "11110110110101100100011110101110");
}

// Expected 250,000 with a standard deviation of 433: five of them.
TEST(GreenListTest, FractionIsGamma) {
  int64_t green = 0;
  for (TokenId previous = 0; previous < 100; ++previous) {
    const GreenList list(kKey, 0.25, previous);
    for (TokenId id = 0; id < 10000; ++id) green += list.IsGreen(id);
  }
  EXPECT_NEAR(static_cast<double>(green), 250000, 2165);
}

TEST(GreenListWatermarkTest, AddsDeltaToGreenTokens) {
  const float removed = -std::numeric_limits<float>::infinity();
  std::vector<float> logits(64, 1);
  logits[5] = removed;
  const auto processed = ProcessLogits(
      absl::StrCat("processors { green_list_watermark { gamma: 0.5 delta: 2 key: ", kKey, " } }"),
      logits, {.prompt = {3}, .output = {7}});
  ASSERT_TRUE(processed.ok()) << processed.status();
  const GreenList green(kKey, 0.5, 7);
  for (TokenId id = 0; id < 64; ++id) {
    const double expected = id == 5 ? removed : green.IsGreen(id) ? 3 : 1;
    EXPECT_EQ((*processed)[id], expected) << id;
  }
}

TEST(GreenListWatermarkTest, NothingWithoutAPreviousTokenOrDelta) {
  EXPECT_THAT(ProcessLogits("processors { green_list_watermark { delta: 2 } }", {1, 1, 1}).value(),
              ElementsAre(1, 1, 1));
  EXPECT_THAT(
      ProcessLogits("processors { green_list_watermark { delta: 0 } }", {1, 1, 1}, {.prompt = {1}})
          .value(),
      ElementsAre(1, 1, 1));
}

TEST(WatermarkDetectorTest, FindsTheMarkWithItsKeyOnly) {
  const std::vector<TokenId> marked = Generate(
      absl::StrCat("processors { green_list_watermark { gamma: 0.25 delta: 4 key: ", kKey, " } }"),
      200);
  const auto evidence = DetectWatermark(Config(0.25), marked);
  ASSERT_TRUE(evidence.ok()) << evidence.status();
  EXPECT_GT(evidence->z, 15);
  EXPECT_LT(std::abs(DetectWatermark(Config(0.25, kKey + 1), marked)->z), 4);
}

TEST(WatermarkDetectorTest, UnmarkedTextHasNone) {
  EXPECT_LT(std::abs(DetectWatermark(Config(0.25), Generate("draw { seed: 5 }", 1000))->z), 4);
}

// (2 − 0.5·4) / √(4 · 0.5 · 0.5) and so on, for the pairs 1 2, 2 3, 3 1 and no other.
TEST(WatermarkDetectorTest, CountsDistinctPairs) {
  const std::vector<TokenId> tokens = {1, 2, 3, 1, 2, 3, 1, 2};
  const auto evidence = DetectWatermark(Config(0.5), tokens);
  EXPECT_EQ(evidence->scored, 3);
  const int64_t green = GreenList(kKey, 0.5, 1).IsGreen(2) + GreenList(kKey, 0.5, 2).IsGreen(3) +
                        GreenList(kKey, 0.5, 3).IsGreen(1);
  EXPECT_EQ(evidence->green, green);
  EXPECT_DOUBLE_EQ(evidence->z, (static_cast<double>(green) - 1.5) / std::sqrt(0.75));
}

TEST(WatermarkDetectorTest, Errors) {
  EXPECT_THAT(DetectWatermark(Config(0.5), {1}).status().message(),
              HasSubstr("there are 1 tokens"));
  EXPECT_THAT(DetectWatermark(Config(0), {1, 2}).status().message(),
              HasSubstr("gamma is 0; it must be in (0, 1)"));
  EXPECT_THAT(DetectWatermark(Config(std::nan("")), {1, 2}).status().message(),
              HasSubstr("gamma is nan"));
}

TEST(GreenListWatermarkTest, Errors) {
  const auto error = [](const std::string& rule) {
    return std::string(ProcessLogits("processors { green_list_watermark { " + rule + " } }", {1, 2})
                           .status()
                           .message());
  };
  EXPECT_THAT(error("gamma: 0"), HasSubstr("gamma is 0; it must be in (0, 1)"));
  EXPECT_THAT(error("gamma: 1"), HasSubstr("gamma is 1"));
  EXPECT_THAT(error("delta: -1"), HasSubstr("delta is -1; it must be in [0, inf)"));
}

}  // namespace
}  // namespace logitchain
