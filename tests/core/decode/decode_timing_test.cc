#include "logitchain/core/decode/decode_timing.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/decode/decode_observer.h"
#include "logitchain/tests/core/decode/scripted_model.h"
#include "logitchain/tests/core/decode/step_to_end.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> Names(const DecodeTiming& timing) {
  std::vector<std::string> names;
  for (const DecodeTiming::Part& part : timing.parts()) names.push_back(part.name);
  return names;
}

// Two tokens of a chain with one rule, which was named twice by its two parts.
DecodeTiming TwoTokens() {
  DecodeTiming timing;
  for (const int factor : {1, 3}) {
    const absl::Duration us = absl::Microseconds(factor);
    timing.OnPart("logits", 100, 2 * us);
    timing.OnPart("processors[0].grammar_mask", 50, 4 * us);
    timing.OnPart("processors[0].grammar_mask", 10 * factor, us);
    timing.OnPart("draw", 10 * factor, us);
    timing.OnToken({.sample = {.kept = 10 * factor}}, {.model = 1000 * us, .sampling = 9 * us});
  }
  return timing;
}

TEST(DecodeTimingTest, AddsUpTheParts) {
  const DecodeTiming timing = TwoTokens();
  EXPECT_THAT(Names(timing), ElementsAre("logits", "processors[0].grammar_mask",
                                         "processors[0].grammar_mask", "draw"));
  const DecodeTiming::Part& mask = timing.parts()[1];
  EXPECT_EQ(mask.runs, 2);
  EXPECT_EQ(mask.total, absl::Microseconds(16));
  EXPECT_EQ(mask.longest, absl::Microseconds(12));
  EXPECT_EQ(mask.kept, 100);
  EXPECT_EQ(timing.parts()[2].kept, 40);
}

TEST(DecodeTimingTest, TheLongestRunMayBeAnyOfThem) {
  DecodeTiming timing;
  for (const int us : {2, 5, 3}) {
    timing.OnPart("logits", 4, absl::Microseconds(us));
    timing.OnPart("draw", 4, absl::Microseconds(10 - us));
  }
  EXPECT_EQ(timing.parts()[0].longest, absl::Microseconds(5));
  EXPECT_EQ(timing.parts()[1].longest, absl::Microseconds(8));
}

TEST(DecodeTimingTest, KeepsEveryTokensTimes) {
  const DecodeTiming timing = TwoTokens();
  ASSERT_THAT(timing.tokens(), SizeIs(2));
  EXPECT_EQ(timing.tokens()[1].times.model, absl::Milliseconds(3));
  EXPECT_EQ(timing.tokens()[1].times.sampling, absl::Microseconds(27));
  EXPECT_EQ(timing.tokens()[1].kept, 30);
}

TEST(DecodeTimingTest, SummaryIsATable) {
  EXPECT_EQ(TwoTokens().Summary(),
            "2 tokens                          mean us   longest us     total ms    mean kept\n"
            "model                              2000.0       3000.0        4.000             \n"
            "sampling                             18.0         27.0        0.036             \n"
            "  logits                              4.0          6.0        0.008        100.0\n"
            "  processors[0].grammar_mask          8.0         12.0        0.016         50.0\n"
            "  processors[0].grammar_mask          2.0          3.0        0.004         20.0\n"
            "  draw                                2.0          3.0        0.004         20.0\n");
}

TEST(DecodeTimingTest, SummaryOfNothing) {
  EXPECT_EQ(DecodeTiming().Summary(),
            "0 tokens      mean us   longest us     total ms    mean kept\n"
            "model             0.0          0.0        0.000             \n"
            "sampling          0.0          0.0        0.000             \n");
}

TEST(DecodeTimingTest, ADrawThatFailsInTheMiddleShiftsNoPart) {
  DecodeTiming timing;
  timing.OnPart("logits", 4, absl::ZeroDuration());
  timing.OnPart("logits", 4, absl::ZeroDuration());
  timing.OnPart("draw", 4, absl::ZeroDuration());
  EXPECT_THAT(Names(timing), ElementsAre("logits", "draw"));
  EXPECT_EQ(timing.parts()[0].runs, 2);
}

TEST(DecodeTimingTest, OtherChainsAddTheirPartsOnce) {
  DecodeTiming timing;
  for (int i = 0; i < 3; ++i) {
    for (const absl::string_view rule : {"top_k", "top_p"}) {
      timing.OnPart("logits", 4, absl::ZeroDuration());
      timing.OnPart(rule, 4, absl::ZeroDuration());
    }
  }
  EXPECT_THAT(Names(timing), ElementsAre("logits", "top_k", "top_p"));
}

TEST(DecodeTimingTest, WatchesALoop) {
  ScriptedModel model({"a", "b", "c", "</s>"}, {3});
  model.Say({0, 1, 3});
  const auto loop =
      MakeLoop(model, {}, {}, "logprobs: RAW logprobs: PENALISED processors { top_k { k: 2 } }");
  DecodeTiming timing;
  loop->AddObserver(&timing);
  StepToEnd(*loop);

  EXPECT_THAT(Names(timing), ElementsAre("logits", "processors[0].top_k", "draw", "logprobs"));
  EXPECT_EQ(timing.parts()[0].kept, 3 * 4);
  EXPECT_EQ(timing.parts()[1].kept, 3 * 2);
  EXPECT_THAT(timing.tokens(), SizeIs(3)) << "the stop token takes time as well";
  absl::Duration parts;
  for (const DecodeTiming::Part& part : timing.parts()) parts += part.total;
  absl::Duration sampling;
  for (const DecodeTiming::Token& token : timing.tokens()) sampling += token.times.sampling;
  EXPECT_GT(parts, absl::ZeroDuration());
  EXPECT_GE(sampling, parts) << "the parts are parts of the sampling";
}

TEST(DecodeTimingTest, WatchesAChainAlone) {
  const auto chain = MakeChain("processors { top_k { k: 2 } }", 4);
  DecodeTiming timing;
  chain->set_observer(&timing);
  EXPECT_TRUE(chain->Sample({1, 2, 3, 4}).ok());
  EXPECT_THAT(Names(timing), ElementsAre("logits", "processors[0].top_k", "draw"));
  EXPECT_THAT(timing.tokens(), IsEmpty());
}

}  // namespace
}  // namespace logitchain
