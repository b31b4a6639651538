// Drives random chains over random logits through the chain and through the reference, and demands
// the same bits: tokens, logprobs, kept counts, processed logits and distributions.
//
// More cases: bazel run -c opt //tests/reference:differential_test -- --cases=100000 --seed=7

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/sample.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/reference/dice.h"
#include "logitchain/tests/reference/random_case.h"
#include "logitchain/tests/reference/random_logits.h"
#include "logitchain/tests/reference/reference_chain.h"
#include "logitchain/tests/testing/test_chain.h"

ABSL_FLAG(int, cases, 1500, "number of random cases");
ABSL_FLAG(uint64_t, seed, 1, "seed of the first case");

namespace logitchain {
namespace {

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
        case_(dice_),
        chain_(MakeChain(case_.config, case_.vocab_size)),
        reference_(case_.config, case_.vocab_size, case_.prompt) {}

  void Check() {
    SCOPED_TRACE(testing::Message() << "vocabulary of " << case_.vocab_size << "\n"
                                    << case_.Description());
    ASSERT_NE(chain_, nullptr);
    ASSERT_TRUE(chain_->Reset(case_.prompt).ok());
    for (const RandomLogits& logits : case_.logits) {
      CheckStep(logits.span());
      if (testing::Test::HasFailure()) return;
    }
  }

 private:
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
    return absl::c_linear_search(case_.config.logprobs(), kind);
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
  RandomCase case_;
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
