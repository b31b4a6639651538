// Drives random chains over random logits through the chain and through the reference, and demands
// the same bits: tokens, logprobs, kept counts, processed logits and distributions.
//
// More cases: bazel run -c opt //tests/reference:differential_test -- --cases=100000 --seed=7

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/reference/dice.h"
#include "logitchain/tests/reference/random_config.h"
#include "logitchain/tests/reference/random_logits.h"
#include "logitchain/tests/reference/reference_chain.h"
#include "logitchain/tests/testing/test_chain.h"

ABSL_FLAG(int, cases, 1500, "number of random cases");
ABSL_FLAG(uint64_t, seed, 1, "seed of the first case");

namespace logitchain {
namespace {

constexpr int kSteps = 3;

// One in twenty is so large that shortcuts for whole vocabularies are worth it.
int32_t RandomVocabSize(Dice& dice) {
  if (dice.Chance(0.02)) return 1 + dice.Below(300'000);
  if (dice.Chance(0.02)) return dice.OneOf({4096, 32'000, 65'537, 128'256, 151'936, 300'000});
  if (dice.Chance(0.05)) return 4096 + dice.Below(20'000);
  if (dice.Chance(0.15)) return 1 + dice.Below(6000);
  if (dice.Chance(0.2)) return dice.OneOf({31, 32, 33, 255, 256, 257, 511, 513, 1023, 1025});
  return 1 + dice.Below(dice.OneOf({3, 40, 700}));
}

testing::AssertionResult SameBits(absl::Span<const double> actual,
                                  absl::Span<const double> expected) {
  if (actual.size() != expected.size()) return testing::AssertionFailure() << "sizes differ";
  for (size_t i = 0; i < actual.size(); ++i) {
    if (std::bit_cast<uint64_t>(actual[i]) == std::bit_cast<uint64_t>(expected[i])) continue;
    return testing::AssertionFailure()
           << "at token " << i << ": " << actual[i] << ", not " << expected[i];
  }
  return testing::AssertionSuccess();
}

class Case {
 public:
  explicit Case(uint64_t seed)
      : dice_(seed),
        vocab_size_(RandomVocabSize(dice_)),
        config_(RandomConfig(dice_, vocab_size_)),
        logits_(RandomSteps()),
        prompt_(RandomPrompt()),
        chain_(MakeChain(config_, vocab_size_)),
        reference_(config_, vocab_size_, prompt_) {}

  void Check() {
    SCOPED_TRACE(testing::Message() << "vocabulary of " << vocab_size_ << "\n" << Description());
    ASSERT_NE(chain_, nullptr);
    ASSERT_TRUE(chain_->Reset(prompt_).ok());
    for (const RandomLogits& logits : logits_) {
      CheckStep(logits.span());
      if (testing::Test::HasFailure()) return;
    }
  }

 private:
  std::vector<RandomLogits> RandomSteps() {
    std::vector<RandomLogits> steps;
    for (int t = 0; t < kSteps; ++t) steps.emplace_back(dice_, vocab_size_);
    return steps;
  }

  // Any tokens, and some of the likely ones, which are then edited.
  std::vector<TokenId> RandomPrompt() {
    std::vector<TokenId> prompt(dice_.OneOf({0, 5, 70, 3000, 32'000}));
    for (TokenId& id : prompt) id = dice_.Below(vocab_size_);
    if (dice_.Chance(0.5)) {
      const std::vector<TokenId> top = logits_.front().Top(dice_.OneOf({3, 30, 300}));
      prompt.insert(prompt.end(), top.begin(), top.end());
    }
    return prompt;
  }

  // The config, without masks of many of tokens.
  std::string Description() const {
    ChainConfig config = config_;
    for (ProcessorConfig& rule : *config.mutable_processors()) {
      if (!rule.has_grammar_mask()) continue;
      for (auto* ids : {rule.mutable_grammar_mask()->mutable_allowed_ids(),
                        rule.mutable_grammar_mask()->mutable_banned_ids()}) {
        ids->Truncate(std::min(ids->size(), 10));
      }
    }
    return config.DebugString();
  }

  void CheckStep(absl::Span<const float> logits) {
    // By-products walk; sampling must not depend on whether they were asked for.
    const bool asks_aside = dice_.Chance(0.5);
    std::optional<std::vector<double>> processed;
    std::optional<std::vector<double>> distribution;
    if (asks_aside) {
      if (auto result = chain_->Process(logits); result.ok()) processed = *std::move(result);
      if (auto result = chain_->Distribution(logits); result.ok())
        distribution = *std::move(result);
    }
    const auto sample = chain_->Sample(logits);
    const auto expected = reference_.Sample(logits);
    ASSERT_EQ(sample.ok(), expected.has_value()) << sample.status();
    if (!expected) return;
    EXPECT_EQ(sample->token, expected->token);
    EXPECT_EQ(sample->kept, expected->kept);
    CheckLogprobs(*sample, *expected);
    if (!asks_aside) return;
    ASSERT_TRUE(processed && distribution);
    EXPECT_TRUE(SameBits(*processed, expected->processed));
    EXPECT_TRUE(SameBits(*distribution, expected->distribution));
  }

  bool Wants(ChainConfig::Logprob kind) const {
    return absl::c_linear_search(config_.logprobs(), kind);
  }

  void CheckLogprobs(const Sample& sample, const ReferenceChain::Step& expected) {
    if (Wants(ChainConfig::RAW)) {
      EXPECT_EQ(sample.raw_logprob, expected.raw_logprob);
    }
    if (Wants(ChainConfig::PENALISED)) {
      EXPECT_EQ(sample.penalised_logprob, expected.penalised_logprob);
    }
    if (Wants(ChainConfig::PROCESSED)) {
      EXPECT_EQ(sample.processed_logprob, expected.processed_logprob);
    }
  }

  Dice dice_;
  int32_t vocab_size_;
  ChainConfig config_;
  std::vector<RandomLogits> logits_;
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
