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
#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/testing/golden_file.h"
#include "logitchain/tests/testing/logit_recipe.h"
#include "logitchain/tests/testing/test_chain.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using nlohmann::json;

ChainConfig ConfigOf(const json& params) {
  ChainConfig config;
  config.set_dialect(ChainConfig::MINFER);
  auto* penalty = config.add_processors()->mutable_presence_frequency_penalty();
  penalty->set_presence(params.at("presence_penalty").get<double>());
  penalty->set_frequency(params.at("frequency_penalty").get<double>());
  config.add_processors()->mutable_repetition_penalty()->set_penalty(
      params.at("repeat_penalty").get<double>());
  config.add_processors()->mutable_top_k()->set_k(params.at("top_k").get<int64_t>());
  config.add_processors()->mutable_top_p()->set_p(params.at("top_p").get<double>());
  config.add_processors()->mutable_temperature()->set_temperature(params.at("temp").get<double>());
  config.mutable_draw()->set_seed(params.at("seed").get<uint64_t>());
  config.mutable_draw()->set_minfer_last_id_fallback(true);
  config.add_logprobs(ChainConfig::PROCESSED);
  return config;
}

std::string Bits(double value) {
  return absl::StrCat(
      absl::Hex(std::bit_cast<uint32_t>(static_cast<float>(value)), absl::kZeroPad8));
}

TEST(MinferGoldenTest, Streams) {
  int ids = 0;
  int bits = 0;
  const json cases = ReadGoldenJson("minfer_golden.json").at("cases");
  EXPECT_EQ(cases.size(), 47);
  for (const json& golden : cases) {
    SCOPED_TRACE(golden.at("name").get<std::string>());
    const auto vocab_size = golden.at("vocab_size").get<int32_t>();
    const auto chain = MakeChain(ConfigOf(golden.at("params")), vocab_size);
    ASSERT_TRUE(chain->Reset(GoldenPrompt(golden.at("prompt"), vocab_size)).ok());
    for (size_t t = 0; t < golden.at("ids").size(); ++t) {
      const std::vector<float> logits =
          RecipeLogits(golden.at("shape").get<std::string>(), vocab_size,
                       golden.at("logits_seed").get<uint64_t>(), t);
      const std::vector<double> processed = chain->Process(logits).value();
      const auto sample = chain->Sample(logits);
      ASSERT_TRUE(sample.ok()) << sample.status();
      EXPECT_EQ(sample->token, golden.at("ids")[t].get<TokenId>()) << "step " << t;
      ++ids;
      if (!golden.contains("logit_bits")) continue;
      const double returned = sample->greedy ? processed[sample->token] : *sample->probability;
      EXPECT_EQ(Bits(returned), golden.at("logit_bits")[t].get<std::string>()) << "step " << t;
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
