// Dialect SPEC against the numbers that the specification's own sampler printed: every id, every
// logprob to the bit, every kept count.

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/sample.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/dialects/golden_streams.h"
#include "logitchain/tests/testing/golden_file.h"
#include "logitchain/tests/testing/logit_recipe.h"
#include "logitchain/tests/testing/test_chain.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using nlohmann::json;

// A float64 as the fixtures write it: float.hex, "-inf", or a JSON number.
double Float64(const json& value) {
  return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr)
                           : value.get<double>();
}

std::vector<double> Float64s(const json& values) {
  std::vector<double> result;
  for (const json& value : values) result.push_back(Float64(value));
  return result;
}

std::vector<float> Logits(const json& values) {
  const std::vector<double> wide = Float64s(values);
  return std::vector<float>(wide.begin(), wide.end());
}

TEST(SpecGoldenTest, SamplerGolden) {
  int ids = 0;
  int logprobs = 0;
  const json cases = ReadGoldenJson("spec_sampler_golden.json").at("cases");
  for (const json& golden : cases) {
    SCOPED_TRACE(golden.at("name").get<std::string>());
    const std::vector<float> logits = Logits(golden.at("logits"));
    const auto vocab_size = static_cast<int32_t>(logits.size());
    const auto chain =
        MakeChain(SpecConfig(golden.at("params"), golden.at("seed").get<uint64_t>()), vocab_size);
    ASSERT_TRUE(chain->Reset(GoldenPrompt(golden.at("prompt"), vocab_size)).ok());
    for (size_t t = 0; t < golden.at("ids").size(); ++t) {
      const auto sample = chain->Sample(logits);
      ASSERT_TRUE(sample.ok()) << sample.status();
      EXPECT_EQ(sample->token, golden.at("ids")[t].get<TokenId>());
      EXPECT_EQ(sample->penalised_logprob, golden.at("logprobs")[t].get<double>());
      ids += sample->token == golden.at("ids")[t].get<TokenId>();
      logprobs += sample->penalised_logprob == golden.at("logprobs")[t].get<double>();
    }
  }
  EXPECT_EQ(ids, 144);
  EXPECT_EQ(logprobs, 144);
}

TEST(SpecGoldenTest, Streams) {
  const std::vector<GoldenStream> streams = SpecStreams();
  EXPECT_EQ(streams.size(), 40);
  for (const GoldenStream& stream : streams) {
    SCOPED_TRACE(stream.name);
    const auto chain = stream.MakeChain();
    for (size_t t = 0; t < stream.steps(); ++t) {
      const auto sample = chain->Sample(stream.Logits(t));
      ASSERT_TRUE(sample.ok()) << sample.status();
      EXPECT_EQ(sample->token, stream.token(t)) << "step " << t;
      EXPECT_EQ(sample->penalised_logprob, Float64(stream.golden.at("logprobs_hex")[t]))
          << "step " << t;
      EXPECT_EQ(sample->kept, stream.golden.at("kept")[t].get<int32_t>()) << "step " << t;
    }
  }
}

// The project's own transcription of the specification, tests/spec/sampling_spec.py, as judge.
class FixtureStream {
 public:
  explicit FixtureStream(const json& fixture)
      : fixture_(fixture), vocab_size_(fixture.at("vocab_size").get<int32_t>()) {
    ChainConfig config = SpecConfig(fixture.at("params"), fixture.at("seed").get<uint64_t>());
    if (!fixture.at("allowed_ids").is_null()) {
      ChainConfig masked;
      auto* mask = masked.add_processors()->mutable_grammar_mask();
      for (const json& id : fixture.at("allowed_ids")) mask->add_allowed_ids(id.get<TokenId>());
      masked.MergeFrom(config);
      config = masked;
    }
    chain_ = MakeChain(config, vocab_size_);
    EXPECT_TRUE(chain_
                    ->Reset(RecipePrompt(vocab_size_, fixture.at("prompt_seed").get<uint64_t>(),
                                         fixture.at("prompt_len").get<int32_t>()))
                    .ok());
  }

  void CheckStep(size_t t) {
    const json& step = fixture_.at("steps")[t];
    const std::vector<float> logits = LogitsAt(t);
    EXPECT_EQ(chain_->Entropy(logits).value(), Float64(step.at("entropy")));
    if (step.contains("processed")) {
      EXPECT_EQ(chain_->Process(logits).value(), Float64s(step.at("processed")));
      EXPECT_EQ(chain_->Distribution(logits).value(), Float64s(step.at("distribution")));
    }
    const auto sample = chain_->Sample(logits);
    ASSERT_TRUE(sample.ok()) << sample.status();
    EXPECT_EQ(sample->token, step.at("id").get<TokenId>());
    EXPECT_EQ(sample->penalised_logprob, Float64(step.at("logprob")));
    EXPECT_EQ(sample->kept, step.at("kept").get<int32_t>());
    EXPECT_EQ(sample->greedy, step.at("uniform").is_null());
    if (!sample->greedy) {
      EXPECT_EQ(sample->uniform, Float64(step.at("uniform")));
    }
  }

 private:
  std::vector<float> LogitsAt(size_t t) const {
    if (fixture_.at("shape") == "explicit") return Logits(fixture_.at("logits"));
    return RecipeLogits(fixture_.at("shape").get<std::string>(), vocab_size_,
                        fixture_.at("logits_seed").get<uint64_t>(), t);
  }

  const json& fixture_;
  int32_t vocab_size_;
  std::unique_ptr<Chain> chain_;
};

TEST(SpecGoldenTest, OwnTranscription) {
  const json cases = ReadTestJson("tests/spec/fixture.json").at("cases");
  EXPECT_GE(cases.size(), 100);
  for (const json& fixture : cases) {
    FixtureStream stream(fixture);
    for (size_t t = 0; t < fixture.at("steps").size(); ++t) {
      SCOPED_TRACE(absl::StrCat(fixture.at("name").get<std::string>(), ", step ", t));
      stream.CheckStep(t);
    }
  }
}

}  // namespace
}  // namespace logitchain
