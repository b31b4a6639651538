// Drives random chains over random logits through the chain and through the reference, and demands
// the same bits: tokens, logprobs, kept counts, processed logits and distributions.
//
// More cases: bazel run //tests/reference:differential_test -- --cases=100000 --seed=7

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/reference/reference_chain.h"
#include "logitchain/tests/testing/test_chain.h"

ABSL_FLAG(int, cases, 1500, "number of random cases");
ABSL_FLAG(uint64_t, seed, 1, "seed of the first case");

namespace logitchain {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Picks what a case is made of.
class Dice {
 public:
  explicit Dice(uint64_t seed) : generator_(seed) {}

  double Uniform() { return generator_.NextUniform(); }
  int Below(int n) { return static_cast<int>(Uniform() * n); }
  bool Chance(double p) { return Uniform() < p; }
  template <typename T>
  T OneOf(std::initializer_list<T> values) {
    return values.begin()[Below(static_cast<int>(values.size()))];
  }

 private:
  Pcg32 generator_;
};

// Logits of one of the shapes that are awkward for some shortcut.
std::vector<float> RandomLogits(Dice& dice, int32_t size) {
  std::vector<float> logits(size);
  const int shape = dice.Below(12);
  const double spread = dice.OneOf({0.05, 1.0, 8.0});
  for (float& logit : logits) {
    const double u = dice.Uniform() * 2 - 1;
    switch (shape) {
      case 0:  // Quantised: many ties.
        logit = static_cast<float>(std::floor(u * 3));
        break;
      case 1:  // Two values.
        logit = u < 0.9 ? -1.25f : 2.5f;
        break;
      case 2:  // All equal.
        logit = 0.75f;
        break;
      case 3:  // Runs of −∞.
        logit = u < 0 ? -kInfinity : static_cast<float>(u * 8);
        break;
      case 4:  // Huge.
        logit = static_cast<float>(u * 3e38);
        break;
      case 5:  // Denormal.
        logit = static_cast<float>(u * 1e-39);
        break;
      case 6:  // Coarse, as bfloat16.
        logit = std::bit_cast<float>(std::bit_cast<uint32_t>(static_cast<float>(u * spread)) &
                                     0xFFFF0000u);
        break;
      default:
        logit = static_cast<float>(u * spread);
    }
  }
  if (shape == 7 || shape == 8) {  // Peaked.
    for (int j = 0; j < 8; ++j) logits[dice.Below(size)] = static_cast<float>(16 - j);
  }
  if (shape == 9) {  // One survivor.
    std::fill(logits.begin(), logits.end(), -kInfinity);
    logits[dice.Below(size)] = static_cast<float>(dice.Uniform());
  }
  return logits;
}

void AddMask(Dice& dice, int32_t vocab_size, ChainConfig& config) {
  auto* mask = config.add_processors()->mutable_grammar_mask();
  const int n = 1 + dice.Below(std::min(vocab_size, 200));
  for (int i = 0; i < n; ++i) {
    const TokenId id = dice.Below(vocab_size);
    dice.Chance(0.5) ? mask->add_allowed_ids(id) : mask->add_banned_ids(id);
  }
}

void AddPenalties(Dice& dice, ChainConfig& config) {
  const bool repetition_first = config.dialect() != ChainConfig::MINFER;
  for (const bool first : {true, false}) {
    if (first == repetition_first) {
      auto* rule = config.add_processors()->mutable_repetition_penalty();
      rule->set_penalty(dice.OneOf({1.0, 1.1, 1.5, 0.8}));
      if (dice.Chance(0.3)) rule->set_window(dice.Below(100));
      if (dice.Chance(0.2)) rule->set_scope(OUTPUT_ONLY);
    } else {
      auto* rule = config.add_processors()->mutable_presence_frequency_penalty();
      rule->set_presence(dice.OneOf({0.0, 0.3, -0.2, 2.0}));
      rule->set_frequency(dice.OneOf({0.0, 0.1, -0.5}));
      if (dice.Chance(0.3)) rule->set_window(dice.Below(100));
    }
  }
}

void AddTemperature(Dice& dice, ChainConfig& config) {
  const bool may_be_zero = config.dialect() != ChainConfig::HUGGING_FACE;
  const double temperature = dice.OneOf({0.8, 1.0, 0.3, 1.7, 1e-30, 1e30, may_be_zero ? 0.0 : 0.5});
  auto* rule = config.add_processors()->mutable_temperature();
  rule->set_temperature(temperature);
  if (config.dialect() == ChainConfig::VLLM) rule->set_allow_small_temperature(true);
}

void AddTopK(Dice& dice, int32_t vocab_size, ChainConfig& config) {
  auto* rule = config.add_processors()->mutable_top_k();
  rule->set_k(dice.OneOf({1, 2, 5, 40, 40, 1000, vocab_size, vocab_size + 1, 1 + vocab_size / 2}));
  if (dice.Chance(0.2)) rule->set_ties(TopKConfig::KEEP_TIES);
  if (dice.Chance(0.2)) rule->set_ties(TopKConfig::EXACTLY_K);
  if (dice.Chance(0.1)) rule->set_min_keep(1 + dice.Below(10));
}

void AddTopP(Dice& dice, ChainConfig& config) {
  auto* rule = config.add_processors()->mutable_top_p();
  rule->set_p(dice.OneOf({0.95, 0.5, 0.1, 1e-8, 0.9999999, 1.0}));
  if (dice.Chance(0.2)) rule->set_crossing(TopPConfig::EXCEEDS);
  if (dice.Chance(0.1)) rule->set_min_keep(1 + dice.Below(10));
}

void AddMinP(Dice& dice, ChainConfig& config) {
  auto* rule = config.add_processors()->mutable_min_p();
  rule->set_p(dice.OneOf({0.05, 0.5, 1.0, 0.0, 1e-12}));
  if (dice.Chance(0.1)) rule->set_min_keep(1 + dice.Below(10));
}

// A chain in the dialect's order with each rule in or not; sometimes shuffled.
ChainConfig RandomConfig(Dice& dice, int32_t vocab_size) {
  ChainConfig config;
  config.set_dialect(static_cast<ChainConfig::Dialect>(dice.Below(5)));
  const bool mask_late =
      config.dialect() == ChainConfig::MINFER || config.dialect() == ChainConfig::HUGGING_FACE;
  const bool has_mask = dice.Chance(0.3);
  const bool temperature_last =
      config.dialect() == ChainConfig::MINFER || config.dialect() == ChainConfig::LLAMA_CPP;
  const bool min_p_first = config.dialect() == ChainConfig::VLLM;
  if (has_mask && !mask_late) AddMask(dice, vocab_size, config);
  if (dice.Chance(0.7)) AddPenalties(dice, config);
  if (has_mask && mask_late) AddMask(dice, vocab_size, config);
  const int begin = config.processors_size();
  if (!temperature_last && dice.Chance(0.7)) AddTemperature(dice, config);
  if (min_p_first && dice.Chance(0.5)) AddMinP(dice, config);
  if (dice.Chance(0.6)) AddTopK(dice, vocab_size, config);
  if (dice.Chance(0.5)) AddTopP(dice, config);
  if (!min_p_first && dice.Chance(0.5)) AddMinP(dice, config);
  if (temperature_last && dice.Chance(0.7)) AddTemperature(dice, config);
  if (dice.Chance(0.15)) {
    config.set_order(ChainConfig::AS_LISTED);
    auto* rules = config.mutable_processors();
    for (int i = begin; i < rules->size(); ++i) {
      rules->SwapElements(i, begin + dice.Below(rules->size() - begin));
    }
  }
  config.mutable_draw()->set_seed(dice.Below(1 << 30));
  if (dice.Chance(0.1)) config.mutable_draw()->mutable_greedy();
  config.add_logprobs(ChainConfig::PENALISED);
  return config;
}

int32_t RandomVocabSize(Dice& dice) {
  if (dice.Chance(0.02)) return 1 + dice.Below(300000);
  if (dice.Chance(0.2)) return 1 + dice.Below(20000);
  return 1 + dice.Below(dice.OneOf({3, 40, 700}));
}

class Case {
 public:
  explicit Case(uint64_t seed)
      : dice_(seed),
        vocab_size_(RandomVocabSize(dice_)),
        config_(RandomConfig(dice_, vocab_size_)),
        prompt_(RandomPrompt()),
        chain_(MakeChain(config_, vocab_size_)),
        reference_(config_, vocab_size_, prompt_) {}

  void Check() {
    ASSERT_NE(chain_, nullptr) << config_.DebugString();
    ASSERT_TRUE(chain_->Reset(prompt_).ok());
    for (int t = 0; t < 3 && !::testing::Test::HasFailure(); ++t) CheckStep();
  }

 private:
  std::vector<TokenId> RandomPrompt() {
    std::vector<TokenId> prompt(dice_.OneOf({0, 5, 70, 3000}));
    for (TokenId& id : prompt) id = dice_.Below(vocab_size_);
    return prompt;
  }

  void CheckStep() {
    // A span that begins anywhere.
    const int offset = dice_.Below(8);
    std::vector<float> storage = RandomLogits(dice_, vocab_size_ + offset);
    const auto logits = absl::MakeConstSpan(storage).subspan(offset);
    const auto processed = chain_->Process(logits);
    const auto distribution = chain_->Distribution(logits);
    const auto sample = chain_->Sample(logits);
    const auto expected = reference_.Sample(logits);
    ASSERT_EQ(sample.ok(), expected.has_value()) << sample.status() << config_.DebugString();
    if (!expected) return;
    EXPECT_EQ(sample->token, expected->token) << config_.DebugString();
    EXPECT_EQ(sample->kept, expected->kept) << config_.DebugString();
    EXPECT_EQ(sample->penalised_logprob, expected->penalised_logprob) << config_.DebugString();
    EXPECT_TRUE(*processed == expected->processed) << config_.DebugString();
    EXPECT_TRUE(*distribution == expected->distribution) << config_.DebugString();
  }

  Dice dice_;
  int32_t vocab_size_;
  ChainConfig config_;
  std::vector<TokenId> prompt_;
  std::unique_ptr<Chain> chain_;
  ReferenceChain reference_;
};

TEST(DifferentialTest, ChainEqualsReference) {
  const int cases = absl::GetFlag(FLAGS_cases);
  for (int i = 0; i < cases; ++i) {
    const uint64_t seed = absl::GetFlag(FLAGS_seed) + i;
    SCOPED_TRACE(testing::Message() << "--cases=1 --seed=" << seed);
    Case(seed).Check();
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace logitchain

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return RUN_ALL_TESTS();
}
