#include "logitchain/core/decode/finish.h"

#include "gtest/gtest.h"

namespace logitchain {
namespace {

TEST(FinishTest, ReasonsHaveNames) {
  EXPECT_EQ(FinishReasonName(FinishReason::kStopToken), "stop_token");
  EXPECT_EQ(FinishReasonName(FinishReason::kStopString), "stop_string");
  EXPECT_EQ(FinishReasonName(FinishReason::kLength), "length");
  EXPECT_EQ(FinishReasonName(FinishReason::kGrammarEnd), "grammar_end");
  EXPECT_EQ(FinishReasonName(FinishReason::kError), "error");
}

}  // namespace
}  // namespace logitchain
