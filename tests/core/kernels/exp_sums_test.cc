// Judges the sums by long double, whose exp is some 2^11 times as exact as the finest bound.

#include "logitchain/core/kernels/exp_sums.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hwy/highway.h"
#include "logitchain/core/kernels/exp_mean.h"
#include "logitchain/core/kernels/exp_split.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/kernels/scan.h"
#include "logitchain/tests/core/numerics/random_bits.h"
#include "logitchain/tests/testing/simd_target_test.h"

namespace logitchain {
namespace {

using ::testing::ValuesIn;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr ExpPrecision kPrecisions[] = {ExpPrecision::kQuick, ExpPrecision::kFine};

enum class Shape {
  kPeaked,
  kMid,
  kFlat,
  kNarrow,        // Exponents fit into one unit,
  kBarelyNarrow,  // or just about do.
  kNarrowButFew,
  kWide,
  kTwoValued,
  kAllEqual,
  kMinusInfinity,
  kHuge,
  kLargest = kHuge,
};

constexpr const char* kShapeNames[] = {
    "peaked", "mid",        "flat",      "narrow", "barely narrow", "narrow but few",
    "wide",   "two-valued", "all equal", "−∞",     "huge"};

struct Input {
  Shape shape;
  double temperature;
  size_t offset;  // Of the span, in floats.
  std::vector<float> storage;
  std::vector<uint32_t> set;
  float max;

  absl::Span<const float> logits() const { return absl::MakeConstSpan(storage).subspan(offset); }
  size_t size() const { return storage.size() - offset; }
  double largest() const { return std::abs(max / temperature); }
  ExpScale Scale(ExpPrecision precision) const { return {max, temperature, precision}; }

  bool Contains(size_t i) const { return set.empty() || ((set[i / 32] >> (i % 32)) & 1) != 0; }

  // By its definition.
  long double Term(size_t i) const {
    if (!Contains(i) || logits()[i] == -kInfinity) return 0;
    return std::exp((static_cast<long double>(logits()[i]) - max) / temperature);
  }

  // Of the tokens of each block that are in the set, the largest logit.
  std::vector<float> BlockMaxima() const {
    std::vector<float> maxima(BlockCount(size()), -kInfinity);
    for (size_t i = 0; i < size(); ++i) {
      float& max_of_block = maxima[i / kBlockSize];
      if (Contains(i)) max_of_block = std::max(max_of_block, logits()[i]);
    }
    return maxima;
  }

  std::string Description() const {
    return absl::StrFormat("%s, %d logits at %d, T = %g, max = %a, %s",
                           kShapeNames[static_cast<int>(shape)], size(), offset, temperature, max,
                           set.empty() ? "no set" : "a set");
  }
};

class Inputs {
 public:
  explicit Inputs(uint64_t seed) : random_(seed) {}

  Input Next(size_t size) {
    Input input = {
        .shape = static_cast<Shape>(random_.Next() % (static_cast<uint64_t>(Shape::kLargest) + 1)),
        .temperature = RandomTemperature(),
        .offset = random_.Next() % 17};
    input.storage.resize(size + input.offset);
    FillLogits(input);
    if (random_.Next() % 2 == 0) FillSet(input);
    input.max = -kInfinity;
    for (size_t i = 0; i < size; ++i) {
      if (input.Contains(i)) input.max = std::max(input.max, input.logits()[i]);
    }
    // Tokens that are out now may have been larger.
    if (random_.Next() % 4 == 0) {
      input.max += static_cast<float>(random_.Between(0, 30) * input.temperature);
    }
    return input;
  }

  size_t RandomSize() { return 1 + random_.Next() % 2000; }

 private:
  static bool IsMaximumAllowed(float logit, double temperature) {
    return std::abs(logit / temperature) <= 1e6;
  }

  double RandomTemperature() {
    switch (random_.Next() % 4) {
      case 0:
        return std::exp2(random_.Between(-66.4, 66.4));
      case 1:
        return random_.Next() % 2 == 0 ? 1e-20 : 1e20;
      case 2:
        return random_.Between(0.1, 2);
      default:
        return 1;
    }
  }

  // How far a logit is from the top, in units of the temperature.
  double Below(Shape shape, size_t i) {
    switch (shape) {
      case Shape::kPeaked:
        return i == 0 ? 0 : 12 + random_.Between(0, 10);
      case Shape::kMid:
        return random_.Between(0, 4) + random_.Between(0, 4) + random_.Between(0, 4);
      case Shape::kFlat:
        return random_.Between(0, 0.15) + random_.Between(0, 0.15);
      case Shape::kNarrow:
        return random_.Between(0, 0.68);
      case Shape::kBarelyNarrow:
        return random_.Between(0, 1) < 0.5 ? random_.Between(0.69, 0.694) : 0;
      case Shape::kNarrowButFew:
        return random_.Next() % 200 == 0 ? random_.Between(1, 200) : random_.Between(0, 0.68);
      case Shape::kWide:
        return random_.Between(0, 200);
      case Shape::kTwoValued:
        return random_.Next() % 3 == 0 ? 0 : 1.7;
      case Shape::kAllEqual:
        return 0;
      case Shape::kMinusInfinity:
        return random_.Next() % 2 == 0 ? kInfinity : random_.Between(0, 5);
      case Shape::kHuge:
        return random_.Next() % 2 == 0 ? 3e38 : random_.Between(0, 1e5);
    }
    return 0;
  }

  void FillLogits(Input& input) {
    const double tops[] = {0, 10, -10, 1e3, -3e4, 9e5, -9e5, 0.3};
    const double top = tops[random_.Next() % 8];
    const auto logits = absl::MakeSpan(input.storage).subspan(input.offset);
    for (size_t i = 0; i < logits.size(); ++i) {
      const double logit = (top - Below(input.shape, i)) * input.temperature;
      // A span that ends at what a float can hold, or −∞.
      logits[i] = std::isinf(logit) ? -kInfinity : static_cast<float>(std::max(logit, -3e38));
    }
    float& any = logits[random_.Next() % logits.size()];
    if (!IsMaximumAllowed(any, input.temperature)) {
      any = static_cast<float>(top * input.temperature);
    }
  }

  // Of any density, with at least one token that has a logit; logits outside may be anything.
  void FillSet(Input& input) {
    const size_t size = input.size();
    const auto logits = absl::MakeSpan(input.storage).subspan(input.offset);
    const double densities[] = {0, 0.001, 0.1, 0.5, 0.9, 0.999, 1};
    const double density = densities[random_.Next() % 7];
    // Spare bits are ignored.
    input.set.assign(WordCount(size), 0);
    for (size_t i = 0; i < 32 * input.set.size(); ++i) {
      if (random_.Between(0, 1) <= density) input.set[i / 32] |= uint32_t{1} << (i % 32);
    }
    size_t one = 0;
    while (!IsMaximumAllowed(logits[one], input.temperature)) ++one;
    input.set[one / 32] |= uint32_t{1} << (one % 32);
    for (size_t i = 0; i < size; ++i) {
      if (input.Contains(i) || random_.Next() % 16 != 0) continue;
      const float odd[] = {kNan, kInfinity, -kInfinity, 3e38f};
      logits[i] = odd[random_.Next() % 4];
    }
  }

  RandomBits random_;
};

// Exact sums, by block.
std::vector<long double> ExactSums(const Input& input) {
  std::vector<long double> sums(BlockCount(input.size()));
  for (size_t i = 0; i < input.size(); ++i) sums[i / kBlockSize] += input.Term(i);
  return sums;
}

template <typename Values>
long double Total(const Values& values) {
  return std::accumulate(values.begin(), values.end(), 0.0L);
}

// That sums are as close to the exact ones as ExpError says, and their shares as close as Margin
// says: of each, and of those together for which the errors add up to most.
template <typename Value>
void ExpectWithin(const ExpError& error, const std::vector<Value>& sums,
                  const std::vector<long double>& exact) {
  ASSERT_EQ(sums.size(), exact.size());
  const long double total = Total(sums);
  const long double exact_total = Total(exact);
  long double uneven = 0;
  for (size_t b = 0; b < sums.size(); ++b) {
    uneven += std::max(0.0L, std::abs(sums[b] - exact[b]) - error.relative * exact[b]);
  }
  EXPECT_LE(uneven, error.uneven);

  const auto expect_share = [&](long double sum, long double exact_sum) {
    const auto share = static_cast<double>(exact_sum / exact_total);
    const auto expect_close = [&](long double other, double recomputed) {
      const double margin = error.Margin(share, static_cast<double>(exact_total), recomputed);
      EXPECT_LE(std::abs(other / total - exact_sum / exact_total), margin / exact_total)
          << "share " << share << ", recomputed " << recomputed;
    };
    expect_close(sum, 0);
    expect_close(exact_sum, static_cast<double>(exact_sum));
  };
  long double sum_above = 0;
  long double exact_above = 0;
  long double run = 0;
  long double exact_run = 0;
  for (size_t b = 0; b < sums.size(); ++b) {
    run += sums[b];
    exact_run += exact[b];
    expect_share(run, exact_run);
    if (sums[b] * exact_total <= exact[b] * total) continue;
    sum_above += sums[b];
    exact_above += exact[b];
  }
  expect_share(sum_above, exact_above);
}

struct ExactMean {
  double sum;
  double mean;
  double sigma;
};

ExactMean ExactMeanOf(const Input& input) {
  const auto exponent = [&](size_t i) {
    return (static_cast<long double>(input.logits()[i]) - input.max) /
           static_cast<long double>(input.temperature);
  };
  long double sum = 0;
  long double first = 0;
  for (size_t i = 0; i < input.size(); ++i) {
    const long double term = input.Term(i);
    sum += term;
    if (term > 0) first += term * exponent(i);
  }
  long double squares = 0;
  for (size_t i = 0; i < input.size(); ++i) {
    const long double term = input.Term(i);
    if (term > 0) squares += term * std::pow(exponent(i) - first / sum, 2);
  }
  return {static_cast<double>(sum), static_cast<double>(first / sum),
          static_cast<double>(std::sqrt(squares / sum))};
}

void ExpectWithinBounds(const ExpMean& mean, const ExactMean& exact) {
  EXPECT_NEAR(mean.mean, exact.mean, mean.error);
  EXPECT_GE(mean.sigma, 0.999 * exact.sigma);
}

class ExpSumsTest : public SimdTargetTest {
 protected:
  // Runs `check(input)` on inputs of every size up to 70, and of some larger ones.
  template <typename Check>
  void OnInputs(int count, Check check) {
    Inputs inputs(20240501);
    for (int i = 0; i < count && !HasFailure(); ++i) {
      const size_t size = i < 70 ? i + 1 : inputs.RandomSize();
      const Input input = inputs.Next(size);
      SCOPED_TRACE(input.Description());
      check(input);
    }
    for (const size_t size : {4096, 65'537, 151'936}) {
      if (HasFailure()) return;
      const Input input = inputs.Next(size);
      SCOPED_TRACE(input.Description());
      check(input);
    }
  }
};

TEST_P(ExpSumsTest, SumsAreWithinTheirBound) {
  OnInputs(700, [](const Input& input) {
    for (const ExpPrecision precision : kPrecisions) {
      SCOPED_TRACE(precision == ExpPrecision::kQuick ? "quick" : "fine");
      std::vector<double> sums(BlockCount(input.size()), -1);
      const double rough = SumExpTerms(input.Scale(precision), input.logits(), input.set,
                                       input.BlockMaxima(), absl::MakeSpan(sums));
      EXPECT_LE(rough, static_cast<double>(Total(sums)) * (1 + 1e-12));
      ExpError error =
          ExpSumError(precision, input.largest(), static_cast<double>(Total(sums)), input.size());
      error.uneven += kRoughError * rough;
      ExpectWithin(error, sums, ExactSums(input));
    }
  });
}

// Token by token, so that no error is hidden by another.
TEST_P(ExpSumsTest, QuickTermsAreWithinTheBoundOfQuickSums) {
  OnInputs(700, [](const Input& input) {
    std::vector<float> all(input.size(), -1);
    QuickExpTerms(input.Scale(ExpPrecision::kQuick), input.logits(), absl::MakeSpan(all));
    std::vector<float> terms;
    std::vector<long double> exact;
    for (size_t i = 0; i < input.size(); ++i) {
      if (!input.Contains(i)) continue;
      terms.push_back(all[i]);
      exact.push_back(input.Term(i));
    }
    const ExpError error = ExpSumError(ExpPrecision::kQuick, input.largest(),
                                       static_cast<double>(Total(terms)), terms.size());
    ExpectWithin(error, terms, exact);
  });
}

TEST_P(ExpSumsTest, MeanExponentIsWithinItsBound) {
  int close = 0;
  int inputs = 0;
  OnInputs(900, [&](const Input& input) {
    const ExactMean exact = ExactMeanOf(input);
    for (const ExpPrecision precision : kPrecisions) {
      SCOPED_TRACE(precision == ExpPrecision::kQuick ? "quick" : "fine");
      const ExpMean mean = MeanExponent(input.Scale(precision), input.logits(), input.set,
                                        input.BlockMaxima(), input.largest());
      ExpectWithinBounds(mean, exact);
      const ExpError error = ExpSumError(precision, input.largest(), exact.sum, input.size());
      EXPECT_NEAR(mean.sum, exact.sum,
                  error.relative * mean.sum + error.uneven + kRoughError * mean.rough);
      ++inputs;
      close += mean.error < 1e-4;
    }
  });
  // Bounds that say nothing would be right, too.
  EXPECT_GT(close, inputs / 2);
}

// A walk and single terms count as one sum, though they are computed in two ways.
TEST_P(ExpSumsTest, SplitsAreWithinTheirBoundAndExactInWhatTheyCount) {
  RandomBits random(5);
  OnInputs(500, [&random](const Input& input) {
    const auto any_logit = [&] {
      const float logit = input.logits()[random.Next() % input.size()];
      return std::isfinite(logit) ? logit : 0.5f;
    };
    const bool is_centered = random.Next() % 2 == 0;
    const float center = any_logit();
    const auto key_of = [&](float logit) {
      return is_centered ? -std::abs(logit - center) : logit;
    };
    float low = std::max(key_of(any_logit()), -3e38f);
    float high = std::max(key_of(any_logit()), -3e38f);
    if (high < low) std::swap(low, high);
    const LogitKey key = {is_centered ? std::optional<float>(center) : std::nullopt};
    const size_t blocks = BlockCount(input.size());
    for (const ExpPrecision precision : kPrecisions) {
      SCOPED_TRACE(precision == ExpPrecision::kQuick ? "quick" : "fine");
      std::vector<double> sums(blocks, -1);
      std::vector<uint32_t> high_tokens(WordCount(blocks * kBlockSize), 0xAAAAAAAA);
      std::vector<uint32_t> between = high_tokens;
      const ExpSplit split = SplitExpTerms(
          input.Scale(precision), input.logits(), input.set, key, {low, high}, input.largest(),
          {absl::MakeSpan(sums), absl::MakeSpan(high_tokens), absl::MakeSpan(between)});
      if (is_centered) {
        ExpectWithinBounds(split.mean, ExactMeanOf(input));
        EXPECT_EQ(split.mean.sum, split.total);
      }
      int32_t count_high = 0;
      std::vector<uint32_t> expected_high(between.size());
      std::vector<uint32_t> expected(between.size());
      std::vector<long double> exact(blocks);
      for (size_t i = 0; i < input.size(); ++i) {
        if (!input.Contains(i)) continue;
        const float of_token = key_of(input.logits()[i]);
        if (of_token >= low && of_token < high) expected[i / 32] |= uint32_t{1} << (i % 32);
        if (of_token < high) continue;
        ++count_high;
        expected_high[i / 32] |= uint32_t{1} << (i % 32);
        exact[i / kBlockSize] += input.Term(i);
      }
      EXPECT_EQ(split.count_high, count_high);
      EXPECT_EQ(high_tokens, expected_high);
      EXPECT_EQ(between, expected);

      // The high sums, and what is left of the total as one more.
      sums.push_back(split.total - static_cast<double>(Total(sums)));
      exact.push_back(Total(ExactSums(input)) - Total(exact));
      const ExpError error = ExpSumError(precision, input.largest(), split.total, input.size());
      ExpectWithin(error, sums, exact);
    }
  });
}

// One logit far down takes the wider of two ways; NaN, which may be where a token is out, must not
// make forget that.
TEST_P(ExpSumsTest, NanOutsideTheSetHidesNothing) {
  for (size_t nan = 65; nan < 200; ++nan) {
    Input input = {.shape = Shape::kNarrow, .temperature = 1, .max = 0};
    input.storage.assign(1000, -0.25f);
    input.storage[70] = -9;
    input.storage[nan] = kNan;
    if (nan == 70) continue;
    input.set.assign(WordCount(1000), ~uint32_t{0});
    input.set[nan / 32] &= ~(uint32_t{1} << (nan % 32));
    std::vector<double> sums(BlockCount(1000));
    const double rough = SumExpTerms(input.Scale(ExpPrecision::kQuick), input.logits(), input.set,
                                     input.BlockMaxima(), absl::MakeSpan(sums));
    ExpError error = ExpSumError(ExpPrecision::kQuick, 0, static_cast<double>(Total(sums)), 1000);
    error.uneven += kRoughError * rough;
    ExpectWithin(error, sums, ExactSums(input));
    std::vector<uint32_t> high(WordCount(sums.size() * kBlockSize));
    std::vector<uint32_t> between = high;
    const ExpSplit split =
        SplitExpTerms(input.Scale(ExpPrecision::kQuick), input.logits(), input.set, {}, {-1, 1}, 0,
                      {absl::MakeSpan(sums), absl::MakeSpan(high), absl::MakeSpan(between)});
    EXPECT_NEAR(split.total, static_cast<double>(Total(ExactSums(input))), 1e-3) << nan;
    if (HasFailure()) return;
  }
}

TEST_P(ExpSumsTest, TermsAreWrittenForEverySizeAndAddressAndNothingBeyond) {
  constexpr float kUntouched = -123;
  std::vector<float> logits(80);
  for (size_t i = 0; i < logits.size(); ++i) logits[i] = -0.25f * static_cast<float>(i);
  for (size_t size = 0; size <= 70; ++size) {
    for (size_t offset = 0; offset < 5; ++offset) {
      std::vector<float> out(size + 9, kUntouched);
      QuickExpTerms({0, 1, ExpPrecision::kQuick}, absl::MakeConstSpan(logits).subspan(offset, size),
                    absl::MakeSpan(out).first(size));
      for (size_t i = 0; i < size; ++i) {
        ASSERT_NEAR(out[i], std::exp(logits[offset + i]), 1e-6) << size << " " << offset;
      }
      for (size_t i = size; i < out.size(); ++i) ASSERT_EQ(out[i], kUntouched);
    }
  }
}

TEST_P(ExpSumsTest, WeightsAreSummedFromABoundOn) {
  OnInputs(300, [](const Input& input) {
    RandomBits random(input.size());
    std::vector<float> weights(input.size());
    for (float& weight : weights) weight = static_cast<float>(random.Between(0, 1));
    const float bound = input.logits()[random.Next() % input.size()];
    long double sum = 0;
    long double squares = 0;
    int32_t count = 0;
    for (size_t i = 0; i < input.size(); ++i) {
      if (!(input.logits()[i] >= bound)) continue;
      sum += weights[i];
      squares += static_cast<long double>(weights[i]) * weights[i];
      ++count;
    }
    const WeightSums sums = SumWeightsAtLeast(input.logits(), weights, bound);
    EXPECT_EQ(sums.count, count);
    EXPECT_NEAR(sums.sum, static_cast<double>(sum), static_cast<double>(sum) * 0x1p-23);
    EXPECT_NEAR(sums.sum_of_squares, static_cast<double>(squares),
                static_cast<double>(squares) * 1e-3);
  });
}

INSTANTIATE_TEST_SUITE_P(Targets, ExpSumsTest, ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         SimdTargetTest::TargetName);

// The share of the smaller part is what an error moves; at the ends there is nothing to move.
TEST(ExpErrorTest, MarginByHand) {
  const ExpError error = {.relative = 0.01, .uneven = 0.5};
  EXPECT_DOUBLE_EQ(error.Margin(0, 100, 0), 1.01 * 0.5);
  EXPECT_DOUBLE_EQ(error.Margin(0.25, 100, 0), 1.01 * (0.5 + 2 * 0.01 * 0.25 * 0.75 * 100));
  EXPECT_DOUBLE_EQ(error.Margin(1, 100, 0), 1.01 * 0.5);
  EXPECT_DOUBLE_EQ(error.Margin(1, 100, 30), 1.01 * (0.5 + 2 * 0.01 * 30));
}

}  // namespace
}  // namespace logitchain
