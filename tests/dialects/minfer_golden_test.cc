// Dialect MINFER against the ids and values that minfer's own sampler returned.

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/sample.h"
#include "logitchain/tests/dialects/golden_streams.h"
#include "logitchain/tests/testing/golden_file.h"
#include "logitchain/tests/testing/test_chain.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using nlohmann::json;

std::string Bits(double value) {
  return absl::StrCat(
      absl::Hex(std::bit_cast<uint32_t>(static_cast<float>(value)), absl::kZeroPad8));
}

TEST(MinferGoldenTest, Streams) {
  int ids = 0;
  int bits = 0;
  const std::vector<GoldenStream> streams = MinferStreams();
  EXPECT_EQ(streams.size(), 47);
  for (const GoldenStream& stream : streams) {
    SCOPED_TRACE(stream.name);
    const auto chain = stream.MakeChain();
    for (size_t t = 0; t < stream.steps(); ++t) {
      const std::vector<float> logits = stream.Logits(t);
      const std::vector<double> processed = chain->Process(logits).value();
      const auto sample = chain->Sample(logits);
      ASSERT_TRUE(sample.ok()) << sample.status();
      EXPECT_EQ(sample->token, stream.token(t)) << "step " << t;
      ++ids;
      if (!stream.golden.contains("logit_bits")) continue;
      const double returned = sample->greedy ? processed[sample->token] : *sample->probability;
      EXPECT_EQ(Bits(returned), stream.golden.at("logit_bits")[t].get<std::string>())
          << "step " << t;
      ++bits;
    }
  }
  EXPECT_EQ(ids, 2372);
  RecordProperty("logit_bits", bits);
  EXPECT_GT(bits, 0);
}

TEST(MinferGoldenTest, DefaultsPinnedByItsOwnTest) {
  constexpr int32_t kVocabSize = 256;
  const auto chain = MakeChain(R"pb(
                                 dialect: MINFER
                                 processors { repetition_penalty { penalty: 1.1 } }
                                 processors { top_k { k: 40 } }
                                 processors { top_p { p: 0.95 } }
                                 processors { temperature { temperature: 0.8 } }
                                 draw { seed: 42 }
                               )pb",
                               kVocabSize);
  const json ids = ReadGoldenJson("minfer_pinned.json").at("ids");
  ASSERT_EQ(ids.size(), 64);
  for (int t = 0; t < 64; ++t) {
    std::vector<float> logits(kVocabSize);
    for (int i = 0; i < kVocabSize; ++i) {
      const float wave = static_cast<float>(i) * 0.37f + static_cast<float>(t) * 0.11f;
      logits[i] = std::sin(wave) * 3.0f + std::cos(static_cast<float>(i) * 0.011f);
    }
    const auto sample = chain->Sample(logits);
    ASSERT_TRUE(sample.ok()) << sample.status();
    EXPECT_EQ(sample->token, ids[t].get<TokenId>()) << "step " << t;
  }
}

}  // namespace
}  // namespace logitchain
