// Dialect LLAMA_CPP against the ids, survivors and probabilities that llama.cpp's samplers printed.

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/sample.h"
#include "logitchain/tests/dialects/golden_streams.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using nlohmann::json;

std::string Bits(double value) {
  return absl::StrCat(
      absl::Hex(std::bit_cast<uint32_t>(static_cast<float>(value)), absl::kZeroPad8));
}

// The tokens with a positive probability, with its bits; ids ascending.
std::map<int, std::string> Survivors(const std::vector<double>& q) {
  std::map<int, std::string> survivors;
  for (size_t id = 0; id < q.size(); ++id) {
    if (q[id] > 0) survivors[id] = Bits(q[id]);
  }
  return survivors;
}

std::map<int, std::string> Survivors(const json& golden) {
  std::map<int, std::string> survivors;
  for (size_t i = 0; i < golden.at("ids").size(); ++i) {
    survivors[golden.at("ids")[i].get<int>()] = golden.at("p")[i].get<std::string>();
  }
  return survivors;
}

// Whether the survivors of a step are known.
bool HasSurvivors(const GoldenStream& stream, size_t step) {
  return stream.golden.contains("survivors") && step < stream.golden.at("survivors").size() &&
         !stream.golden.at("survivors")[step].is_null();
}

TEST(LlamaCppGoldenTest, Streams) {
  const std::vector<GoldenStream> streams = LlamaCppStreams();
  int ids = 0;
  int survivors = 0;
  for (const GoldenStream& stream : streams) {
    const auto chain = stream.MakeChain();
    for (size_t t = 0; t < stream.steps(); ++t, ++ids) {
      SCOPED_TRACE(absl::StrCat(stream.name, ", step ", t));
      const std::vector<float> logits = stream.Logits(t);
      if (HasSurvivors(stream, t)) {
        EXPECT_EQ(Survivors(chain->Distribution(logits).value()),
                  Survivors(stream.golden.at("survivors")[t]));
        ++survivors;
      }
      const auto sample = chain->Sample(logits);
      ASSERT_TRUE(sample.ok()) << sample.status();
      EXPECT_EQ(sample->token, stream.token(t));
    }
  }
  EXPECT_EQ(streams.size(), 66);
  EXPECT_EQ(ids, 3648);
  EXPECT_EQ(survivors, 382);
}

}  // namespace
}  // namespace logitchain
