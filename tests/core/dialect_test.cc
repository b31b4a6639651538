#include "logitchain/core/dialect.h"

#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/stage.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {
namespace {

using ::testing::ElementsAreArray;

std::vector<std::string> NamesOf(const std::vector<Stage>& stages) {
  std::vector<std::string> names;
  for (const Stage stage : stages) names.emplace_back(StageName(stage));
  return names;
}

struct OrderCase {
  ChainConfig::Dialect dialect;
  std::vector<std::string> stages;
};

class StageOrderTest : public testing::TestWithParam<OrderCase> {};

// Written out by hand from docs/dialects.md. Stages that a system lacks are indented: each follows
// the nearest earlier one, in the order of SPEC, that the system has.
INSTANTIATE_TEST_SUITE_P(
    , StageOrderTest,
    testing::Values(
        // clang-format off
        OrderCase{ChainConfig::SPEC,
                  {"masks", "bias", "repetition", "presence/frequency",
                      "DRY", "smoothing",
                   "temperature",
                      "top-n-sigma",
                   "top-k",
                      "typical",
                   "top-p", "min-p",
                      "top-a", "top-h", "tail-free", "epsilon", "eta", "XTC",
                   "draw"}},
        OrderCase{ChainConfig::MINFER,
                  {"bias", "presence/frequency", "repetition", "DRY",
                      "smoothing",
                   "masks", "top-k", "typical", "top-p", "min-p",
                      "top-a", "top-h", "tail-free", "epsilon", "eta",
                   "XTC", "temperature",
                      "top-n-sigma",
                   "draw"}},
        OrderCase{ChainConfig::LLAMA_CPP,
                  {"masks", "bias", "repetition", "presence/frequency", "DRY",
                      "smoothing",
                   "top-n-sigma", "top-k", "typical", "top-p", "min-p",
                      "top-a", "top-h", "tail-free", "epsilon", "eta",
                   "XTC", "temperature", "draw"}},
        OrderCase{ChainConfig::HUGGING_FACE,
                  {"bias", "repetition",
                      "presence/frequency", "DRY", "smoothing",
                   "masks", "temperature",
                      "top-n-sigma",
                   "top-k", "top-p", "min-p",
                      "top-a", "top-h", "tail-free",
                   "typical", "epsilon", "eta",
                      "XTC",
                   "draw"}},
        OrderCase{ChainConfig::VLLM,
                  {"masks", "bias", "repetition", "presence/frequency",
                      "DRY", "smoothing",
                   "temperature",
                      "top-n-sigma",
                   "min-p",
                      "top-a", "top-h", "tail-free", "epsilon", "eta", "XTC",
                   "top-k",
                      "typical",
                   "top-p", "draw"}}),
    // clang-format on
    [](const auto& info) { return ChainConfig::Dialect_Name(info.param.dialect); });

TEST_P(StageOrderTest, IsTheDocumentsOrder) {
  const Dialect& dialect = GetDialect(GetParam().dialect);
  EXPECT_EQ(dialect.name, GetParam().dialect);
  EXPECT_THAT(NamesOf(StageOrder(dialect)), ElementsAreArray(GetParam().stages));
}

TEST_P(StageOrderTest, HasEveryStageOnce) {
  const std::vector<Stage> order = StageOrder(GetDialect(GetParam().dialect));
  EXPECT_EQ(order.size(), kStageCount);
  EXPECT_EQ(std::set<Stage>(order.begin(), order.end()).size(), kStageCount);
}

TEST_P(StageOrderTest, MasksStandBeforeEveryFilter) {
  for (const Stage stage : StageOrder(GetDialect(GetParam().dialect))) {
    if (stage == Stage::kMask) break;
    EXPECT_FALSE(IsFilterStage(stage)) << StageName(stage);
  }
}

TEST(RangeOfTest, IsTheDialectsOrTheFallback) {
  const Dialect& vllm = GetDialect(ChainConfig::VLLM);
  EXPECT_EQ(RangeOf(vllm, "logitchain.PresenceFrequencyPenaltyConfig.presence", "x"), "[-2, 2]");
  EXPECT_EQ(RangeOf(vllm, "logitchain.TopKConfig.k", "x"), "x");
  EXPECT_EQ(RangeOf(GetDialect(ChainConfig::SPEC),
                    "logitchain.PresenceFrequencyPenaltyConfig.presence", "x"),
            "x");
}

TEST(StageTest, KindsPartitionTheStages) {
  const std::set<Stage> filters = {Stage::kTopNSigma, Stage::kTopK,     Stage::kTypical,
                                   Stage::kTopP,      Stage::kMinP,     Stage::kTopA,
                                   Stage::kTopH,      Stage::kTailFree, Stage::kEpsilon,
                                   Stage::kEta,       Stage::kXtc};
  const std::set<Stage> before_shaping = {Stage::kMask, Stage::kBias, Stage::kRepetition,
                                          Stage::kPresenceFrequency, Stage::kDry};
  for (int i = 0; i < kStageCount; ++i) {
    const Stage stage = static_cast<Stage>(i);
    EXPECT_EQ(IsFilterStage(stage), filters.contains(stage)) << StageName(stage);
    EXPECT_EQ(IsBeforeShaping(stage), before_shaping.contains(stage)) << StageName(stage);
  }
}

}  // namespace
}  // namespace logitchain
