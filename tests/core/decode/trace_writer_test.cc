#include "logitchain/core/decode/trace_writer.h"

#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "google/protobuf/util/json_util.h"
#include "gtest/gtest.h"
#include "logitchain/core/decode/decode_observer.h"
#include "logitchain/proto/trace.pb.h"
#include "logitchain/tests/core/decode/scripted_model.h"
#include "logitchain/tests/core/decode/step_to_end.h"

namespace logitchain {
namespace {

using ::testing::SizeIs;

std::string LineOf(const TokenRecord& token) {
  std::ostringstream out;
  TraceWriter(out).OnToken(token, {});
  return out.str();
}

TraceToken Parse(const std::string& json) {
  TraceToken token;
  EXPECT_TRUE(google::protobuf::util::JsonStringToMessage(json, &token).ok()) << json;
  return token;
}

TEST(TraceWriterTest, WritesALineWithTheProtosNames) {
  std::ostringstream out;
  TraceWriter trace(out, /*completion=*/2);
  trace.OnPart("logits", 4, absl::Seconds(1));
  trace.OnPart("processors[0].top_k", 2, absl::Seconds(1));
  trace.OnPart("draw", 2, absl::Seconds(1));
  trace.OnToken({.step = 7,
                 .sample = {.token = 3,
                            .kept = 2,
                            .probability = .75,
                            .uniform = .5,
                            .raw_logprob = -1,
                            .penalised_logprob = -2,
                            .processed_logprob = -3},
                 .bytes = " the"},
                {});
  EXPECT_EQ(out.str(),
            R"({"completion":2,"step":7,"id":3,"bytes":"IHRoZQ==","text":" the",)"
            R"("is_stop_token":false,"greedy":false,"u":0.5,"probability":0.75,"kept":2,)"
            R"("raw_logprob":-1,"penalised_logprob":-2,"processed_logprob":-3,)"
            R"("parts":[{"name":"logits","kept":4},{"name":"processors[0].top_k","kept":2},)"
            R"({"name":"draw","kept":2}]})"
            "\n");
}

TEST(TraceWriterTest, AGreedyTokenHasNoUniform) {
  EXPECT_EQ(LineOf({.sample = {.kept = 1, .greedy = true, .probability = 1}, .bytes = "a"}),
            R"({"completion":0,"step":0,"id":0,"bytes":"YQ==","text":"a","is_stop_token":false,)"
            R"("greedy":true,"probability":1,"kept":1})"
            "\n");
}

TEST(TraceWriterTest, WhatTheSampleLacksIsUnset) {
  EXPECT_EQ(LineOf({}),
            R"({"completion":0,"step":0,"id":0,"bytes":"","text":"","is_stop_token":false,)"
            R"("greedy":false,"kept":0})"
            "\n");
}

TEST(TraceWriterTest, BytesThatAreNoTextAreBytesOnly) {
  const TraceToken token = Parse(LineOf({.bytes = "\xE4\xB8"}));
  EXPECT_EQ(token.bytes(), "\xE4\xB8");
  EXPECT_FALSE(token.has_text());
}

TEST(TraceWriterTest, ALineBreakInTheTextIsNoneInTheTrace) {
  const std::string line = LineOf({.bytes = "a\nb\"\xE4\xB8\xAD"});
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_EQ(Parse(line).text(), "a\nb\"\xE4\xB8\xAD");
}

TEST(TraceWriterTest, NumbersKeepEveryBit) {
  const double u = 0x1.9aac30ff7d566p-1;
  const double logprob = -0x1.0000000000001p-3;
  const TraceToken token = Parse(LineOf({.sample = {.uniform = u, .processed_logprob = logprob}}));
  EXPECT_EQ(token.u(), u);
  EXPECT_EQ(token.processed_logprob(), logprob);
}

TEST(TraceWriterTest, ALogprobMayBeMinusInfinity) {
  const double out = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(Parse(LineOf({.sample = {.raw_logprob = out}})).raw_logprob(), out);
}

TEST(TraceWriterTest, WritesALoopTokenByToken) {
  ScriptedModel model({"a", "b", "c", "</s>"}, {3});
  model.Say({0, 1, 3});
  const auto loop =
      MakeLoop(model, {}, {}, "processors { top_k { k: 1 } } logprobs: [ RAW, PROCESSED ]");
  std::ostringstream out;
  TraceWriter trace(out);
  loop->AddObserver(&trace);
  StepToEnd(*loop);

  const std::vector<std::string> lines = absl::StrSplit(out.str(), '\n', absl::SkipEmpty());
  ASSERT_THAT(lines, SizeIs(3));
  const TraceToken second = Parse(lines[1]);
  EXPECT_EQ(second.step(), 1);
  EXPECT_EQ(second.id(), 1);
  EXPECT_TRUE(second.has_u());
  EXPECT_TRUE(second.has_raw_logprob());
  EXPECT_FALSE(second.has_penalised_logprob());
  EXPECT_EQ(second.processed_logprob(), 0);
  ASSERT_THAT(second.parts(), SizeIs(4)) << "none of another token";
  EXPECT_EQ(second.parts(1).name(), "processors[0].top_k");
  EXPECT_EQ(second.parts(1).kept(), 1);
  EXPECT_EQ(second.parts(3).name(), "logprobs");
  EXPECT_TRUE(Parse(lines[2]).is_stop_token());
}

}  // namespace
}  // namespace logitchain
