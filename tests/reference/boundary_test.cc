// Random chains whose numbers lie on an edge, or right beside one: a p that is a running sum of
// probabilities, a ratio of two of them, or a uniform that falls between two tokens. There the
// bounds of shortcuts settle nothing, and a last bit decides.
//
// More cases: bazel run -c opt //tests/reference:boundary_test -- --cases=100000 --seed=7

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/numerics/exact_exp.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/reference/dice.h"
#include "logitchain/tests/reference/random_logits.h"
#include "logitchain/tests/reference/reference_chain.h"
#include "logitchain/tests/testing/test_chain.h"

ABSL_FLAG(int, cases, 300, "number of random cases of each test");
ABSL_FLAG(uint64_t, seed, 1, "seed of the first case");

namespace logitchain {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

int32_t RandomVocabSize(Dice& dice) {
  if (dice.Chance(0.02)) return dice.OneOf({32'000, 128'256, 151'936});
  if (dice.Chance(0.2)) return 4096 + dice.Below(8000);
  return 65 + dice.Below(1000);
}

// A number, or one next to it, or a little beside it.
double OnOrBeside(Dice& dice, double value) {
  switch (dice.Below(4)) {
    case 0:
      return value;
    case 1:
      return std::nextafter(value, 0);
    case 2:
      return std::nextafter(value, 2);
    default:
      return value * (1 + dice.OneOf({-1, 1}) * std::exp2(-dice.Between(12, 52)));
  }
}

// Softmax of the logits divided by a temperature, in float64; 0 for tokens that have no logit.
std::vector<double> Softmax(absl::Span<const float> logits, double temperature) {
  double max = -kInfinity;
  for (const float logit : logits) max = std::max(max, logit / temperature);
  std::vector<double> q;
  double sum = 0;
  for (const float logit : logits) sum += q.emplace_back(ExactExp(logit / temperature - max));
  for (double& value : q) value /= sum;
  return q;
}

bool IsOrdinary(absl::Span<const float> logits) {
  const auto is_ordinary = [](float logit) { return std::abs(logit) < 1e30f; };
  return std::any_of(logits.begin(), logits.end(), is_ordinary) &&
         std::all_of(logits.begin(), logits.end(),
                     [&](float logit) { return is_ordinary(logit) || logit == -kInfinity; });
}

void AddTemperature(double temperature, ChainConfig& config) {
  if (temperature == 1) return;
  config.add_processors()->mutable_temperature()->set_temperature(temperature);
}

void ExpectAsReference(const ChainConfig& config, absl::Span<const float> logits) {
  SCOPED_TRACE(testing::Message() << "vocabulary of " << logits.size() << "\n"
                                  << config.DebugString());
  const auto vocab_size = static_cast<int32_t>(logits.size());
  const std::unique_ptr<Chain> chain = MakeChain(config, vocab_size);
  ASSERT_NE(chain, nullptr);
  ReferenceChain reference(config, vocab_size, {});
  const auto sample = chain->Sample(logits);
  const auto expected = reference.Sample(logits);
  ASSERT_EQ(sample.ok(), expected.has_value()) << sample.status();
  if (!expected) return;
  EXPECT_EQ(sample->kept, expected->kept);
  EXPECT_EQ(sample->token, expected->token);
}

template <typename Check>
void ForEachCase(Check check) {
  for (int i = 0; i < absl::GetFlag(FLAGS_cases); ++i) {
    const uint64_t seed = absl::GetFlag(FLAGS_seed) + i;
    SCOPED_TRACE(testing::Message() << "--cases=1 --seed=" << seed);
    Dice dice(seed);
    check(dice);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(BoundaryTest, TopPOnARunningSum) {
  ForEachCase([](Dice& dice) {
    const RandomLogits logits(dice, RandomVocabSize(dice));
    if (!IsOrdinary(logits.span())) return;
    const double temperature = dice.OneOf({1.0, 1.0, 0.7, 2.5});
    std::vector<double> q = Softmax(logits.span(), temperature);
    std::sort(q.begin(), q.end(), std::greater<>());
    const int rank = dice.Below(dice.Chance(0.5) ? 70 : static_cast<int>(q.size()));
    const double sum =
        std::accumulate(q.begin(), q.begin() + std::min<size_t>(rank + 1, q.size()), 0.0);
    ChainConfig config;
    AddTemperature(temperature, config);
    auto* top_p = config.add_processors()->mutable_top_p();
    top_p->set_p(std::clamp(OnOrBeside(dice, sum), 1e-9, 1.0));
    if (dice.Chance(0.5)) top_p->set_crossing(TopPConfig::EXCEEDS);
    if (dice.Chance(0.3)) config.add_processors()->mutable_min_p()->set_p(dice.OneOf({0.05, 0.9}));
    config.mutable_draw()->set_seed(dice.Below(1 << 30));
    ExpectAsReference(config, logits.span());
  });
}

TEST(BoundaryTest, MinPOnARatio) {
  ForEachCase([](Dice& dice) {
    const RandomLogits logits(dice, RandomVocabSize(dice));
    if (!IsOrdinary(logits.span())) return;
    const double temperature = dice.OneOf({1.0, 1.0, 0.7, 2.5});
    const std::vector<double> q = Softmax(logits.span(), temperature);
    const double ratio =
        q[dice.Below(static_cast<int>(q.size()))] / *std::max_element(q.begin(), q.end());
    ChainConfig config;
    config.set_dialect(static_cast<ChainConfig::Dialect>(dice.Below(5)));
    config.set_order(ChainConfig::AS_LISTED);
    AddTemperature(temperature, config);
    config.add_processors()->mutable_min_p()->set_p(std::clamp(OnOrBeside(dice, ratio), 0.0, 1.0));
    config.mutable_draw()->set_seed(dice.Below(1 << 30));
    ExpectAsReference(config, logits.span());
  });
}

// Σ q·l, in float64.
double MeanLogit(absl::Span<const float> logits, absl::Span<const double> q) {
  double mean = 0;
  for (size_t i = 0; i < q.size(); ++i) {
    if (q[i] > 0) mean += q[i] * logits[i];
  }
  return mean;
}

// Tokens by how close their logits are to the mean.
std::vector<size_t> ByDistance(absl::Span<const float> logits, double mean) {
  std::vector<size_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::abs(logits[a] - mean) < std::abs(logits[b] - mean);
  });
  return order;
}

TEST(BoundaryTest, TypicalOnARunningSum) {
  ForEachCase([](Dice& dice) {
    const RandomLogits logits(dice, RandomVocabSize(dice));
    if (!IsOrdinary(logits.span())) return;
    const std::vector<double> q = Softmax(logits.span(), 1);
    const std::vector<size_t> order = ByDistance(logits.span(), MeanLogit(logits.span(), q));
    const int rank = dice.Below(dice.Chance(0.5) ? 70 : static_cast<int>(q.size()));
    double sum = 0;
    for (int i = 0; i <= rank && i < static_cast<int>(q.size()); ++i) sum += q[order[i]];
    ChainConfig config;
    auto* typical = config.add_processors()->mutable_typical();
    typical->set_p(std::clamp(OnOrBeside(dice, sum), 1e-9, 1.0));
    if (dice.Chance(0.3)) config.add_processors()->mutable_min_p()->set_p(dice.OneOf({0.05, 0.9}));
    config.mutable_draw()->set_seed(dice.Below(1 << 30));
    ExpectAsReference(config, logits.span());
  });
}

// Of the token with which the mass is reached, moves a token of the other side of the mean to the
// same distance, or right beside it.
TEST(BoundaryTest, TypicalWithTwoTokensAtOneDistance) {
  ForEachCase([](Dice& dice) {
    const int32_t vocab_size = dice.Chance(0.1) ? 4096 + dice.Below(8000) : 65 + dice.Below(400);
    const double spread = dice.OneOf({0.05, 0.3, 1.0});
    std::vector<float> logits(vocab_size);
    for (float& logit : logits) logit = static_cast<float>(spread * dice.Normal());
    const double p = dice.OneOf({0.2, 0.5, 0.9});
    for (int round = 0; round < 3; ++round) {
      const std::vector<double> q = Softmax(logits, 1);
      const double mean = MeanLogit(logits, q);
      const std::vector<size_t> order = ByDistance(logits, mean);
      double sum = 0;
      size_t end = 0;
      while (sum + q[order[end]] < p) sum += q[order[end++]];
      const size_t other = order[end > 0 ? end - 1 : 1];
      const double mirrored = 2 * mean - logits[order[end]];
      logits[other] = static_cast<float>(mirrored);
      if (dice.Chance(0.3))
        logits[other] = std::nextafter(logits[other], dice.OneOf({-9.0f, 9.0f}));
    }
    ChainConfig config;
    config.add_processors()->mutable_typical()->set_p(p);
    ExpectAsReference(config, logits);
  });
}

TEST(BoundaryTest, TopNSigmaOnALogit) {
  ForEachCase([](Dice& dice) {
    const RandomLogits logits(dice, RandomVocabSize(dice));
    if (!IsOrdinary(logits.span())) return;
    double sum = 0;
    double count = 0;
    double max = -kInfinity;
    for (const float logit : logits.span()) {
      if (logit == -kInfinity) continue;
      max = std::max<double>(max, logit);
      sum += logit;
      ++count;
    }
    double squares = 0;
    for (const float logit : logits.span()) {
      if (logit != -kInfinity) squares += std::pow(logit - sum / count, 2);
    }
    const double sigma = std::sqrt(squares / count);
    const float any = logits.span()[dice.Below(static_cast<int>(logits.span().size()))];
    if (any == -kInfinity || sigma == 0) return;
    ChainConfig config;
    config.add_processors()->mutable_top_n_sigma()->set_n(OnOrBeside(dice, (max - any) / sigma));
    if (dice.Chance(0.2)) config.mutable_processors(0)->mutable_top_n_sigma()->set_min_keep(20);
    config.mutable_draw()->set_seed(dice.Below(1 << 30));
    ExpectAsReference(config, logits.span());
  });
}

// Of n equal tokens each has exactly 1/n where n is a power of two, and sums of them are exact.
TEST(BoundaryTest, TopPAtAnExactFractionOfEqualTokens) {
  ForEachCase([](Dice& dice) {
    const int equal = 1 << (1 + dice.Below(14));
    const int gap = dice.OneOf({1, 1, 3});  // Others between them, with no logit or next to none.
    std::vector<float> logits(static_cast<size_t>(equal) * gap, dice.OneOf({-kInfinity, -800.0f}));
    for (int i = 0; i < equal; ++i) logits[static_cast<size_t>(i) * gap] = 1.25f;
    const int reached = 1 + dice.Below(equal - 1);
    const bool exceeds = dice.Chance(0.5);
    ChainConfig config;
    auto* top_p = config.add_processors()->mutable_top_p();
    top_p->set_p(static_cast<double>(reached) / equal);
    top_p->set_crossing(exceeds ? TopPConfig::EXCEEDS : TopPConfig::REACHES);
    ExpectAsReference(config, logits);
    const auto sample = MakeChain(config, static_cast<int32_t>(logits.size()))->Sample(logits);
    ASSERT_TRUE(sample.ok());
    EXPECT_EQ(sample->kept, reached + (exceeds ? 1 : 0));
  });
}

// Moves the running sum of probabilities up to and including token `end` − 1 as close to `target`
// as it goes without passing it, by the logit of one of those tokens; false if it is too large
// anyway.
bool Approach(std::vector<float>& logits, TokenId id, TokenId end, double target) {
  const auto sum_with = [&](float logit) {
    logits[id] = logit;
    const std::vector<double> q = Softmax(logits, 1);
    double sum = 0;
    for (TokenId i = 0; i < end; ++i) sum += q[i];
    return sum;
  };
  float low = -60;
  float high = 60;
  if (sum_with(low) > target) return false;
  for (;;) {
    const float middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (sum_with(middle) <= target ? low : high) = middle;
  }
  logits[id] = low;
  return true;
}

TEST(BoundaryTest, UniformBetweenTwoTokens) {
  ForEachCase([](Dice& dice) {
    const int32_t vocab_size = dice.Chance(0.1) ? 4096 + dice.Below(500) : 65 + dice.Below(300);
    const double spread = dice.OneOf({0.05, 1.0, 4.0});
    std::vector<float> logits(vocab_size);
    for (float& logit : logits) logit = static_cast<float>(spread * dice.Normal());
    const int seed = dice.Below(1 << 30);
    const double u = MakeGenerator(GeneratorKind::kPcg32SampleStream, seed).value()->NextUniform();
    const TokenId end = 4 + dice.Below(vocab_size - 4);
    // A coarse one, and two for what is left.
    for (const TokenId id : {1, 2}) logits[id] = -60;
    for (const TokenId id : {0, 1, 2}) {
      if (!Approach(logits, id, end, u)) return;
    }
    if (dice.Chance(0.5)) logits[2] = std::nextafter(logits[2], kInfinity);
    ChainConfig config;
    config.mutable_draw()->set_seed(seed);
    ExpectAsReference(config, logits);
  });
}

}  // namespace
}  // namespace logitchain

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return RUN_ALL_TESTS();
}
