#include "logitchain/core/random/pcg32.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/golden_file.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using ::testing::SizeIs;

constexpr uint64_t kHalfPeriod = uint64_t{1} << 63;

uint64_t ParseSeed(const std::string& text) {
  uint64_t seed = 0;
  EXPECT_TRUE(absl::SimpleAtoi(text, &seed)) << text;
  return seed;
}

Pcg32 AfterNextCalls(Pcg32 generator, uint64_t calls) {
  for (uint64_t i = 0; i < calls; ++i) generator.Next();
  return generator;
}

Pcg32 Advanced(Pcg32 generator, uint64_t steps) {
  generator.Advance(steps);
  return generator;
}

TEST(Pcg32Test, FirstWordsOfTheReferenceLibrarysDemo) {
  Pcg32 generator(42, 54);
  EXPECT_EQ(generator.Next(), 0xa15c02b7u);
  EXPECT_EQ(generator.Next(), 0x7b47f409u);
  EXPECT_EQ(generator.Next(), 0xba1d3330u);
}

TEST(Pcg32Test, EveryGoldenWord) {
  const nlohmann::json golden = ReadGoldenJson("pcg32_vectors.json");
  ASSERT_EQ(golden.at("seq").get<uint64_t>(), Pcg32::kDefaultSequence);
  ASSERT_THAT(golden.at("next_u32"), SizeIs(3));
  for (const auto& [seed, words] : golden.at("next_u32").items()) {
    ASSERT_THAT(words, SizeIs(1024));
    Pcg32 generator(ParseSeed(seed));
    for (size_t i = 0; i < words.size(); ++i) {
      ASSERT_EQ(generator.Next(), words[i].get<uint32_t>()) << "seed " << seed << ", word " << i;
    }
  }
}

TEST(Pcg32Test, EveryGoldenUniform) {
  const nlohmann::json golden = ReadGoldenJson("pcg32_vectors.json");
  ASSERT_THAT(golden.at("uniform_f64"), SizeIs(3));
  for (const auto& [seed, uniforms] : golden.at("uniform_f64").items()) {
    ASSERT_THAT(uniforms, SizeIs(8));
    Pcg32 generator(ParseSeed(seed));
    for (size_t i = 0; i < uniforms.size(); ++i) {
      ASSERT_EQ(generator.NextUniform(), uniforms[i].get<double>())
          << "seed " << seed << ", uniform " << i;
    }
  }
}

TEST(Pcg32Test, UniformTakesTwoWordsUpperFirst) {
  Pcg32 words(7);
  Pcg32 uniforms(7);
  for (int i = 0; i < 1000; ++i) {
    const double upper = words.Next() >> 5;
    const double lower = words.Next() >> 6;
    ASSERT_EQ(uniforms.NextUniform(), (upper * 67108864.0 + lower) / 9007199254740992.0);
    ASSERT_EQ(uniforms, words);
  }
}

TEST(Pcg32Test, SequenceChoosesTheStreamByItsLow63Bits) {
  EXPECT_NE(Pcg32(42, 54).Next(), Pcg32(42, 55).Next());
  EXPECT_EQ(Pcg32(42, 54), Pcg32(42, 54 + kHalfPeriod));
}

TEST(Pcg32Test, AdvanceEqualsThatManyNextCalls) {
  const Pcg32 start(3, 9);
  for (uint64_t n = 0; n <= 130; ++n) {
    ASSERT_EQ(Advanced(start, n), AfterNextCalls(start, n)) << n;
  }
  for (uint64_t n : {1000u, 65535u, 65536u, 1234567u}) {
    ASSERT_EQ(Advanced(start, n), AfterNextCalls(start, n)) << n;
  }
}

TEST(Pcg32Test, AdvancesAddUpModuloThePeriod) {
  const std::vector<uint64_t> distances = {0,
                                           1,
                                           0x123456789abcdef0,
                                           kHalfPeriod - 1,
                                           kHalfPeriod,
                                           kHalfPeriod + 1,
                                           std::numeric_limits<uint64_t>::max()};
  const Pcg32 start(0xfedcba9876543210, 3);
  for (uint64_t a : distances) {
    for (uint64_t b : distances) {
      ASSERT_EQ(Advanced(Advanced(start, a), b), Advanced(start, a + b)) << a << " then " << b;
    }
  }
}

TEST(Pcg32Test, AdvanceGoesBackByWraparound) {
  const Pcg32 start(42);
  for (uint64_t n : {1u, 2u, 77u, 5000u}) {
    EXPECT_EQ(Advanced(AfterNextCalls(start, n), -n), start) << n;
  }
}

TEST(Pcg32Test, HalfThePeriodIsNotTheWholePeriod) {
  const Pcg32 start(42);
  EXPECT_NE(Advanced(start, kHalfPeriod), start);
  EXPECT_EQ(Advanced(Advanced(start, kHalfPeriod), kHalfPeriod), start);
}

TEST(Pcg32Test, CopiesAreIndependent) {
  Pcg32 original(42);
  Pcg32 copy = original;
  const std::vector<uint32_t> from_copy = {copy.Next(), copy.Next()};
  const std::vector<uint32_t> from_original = {original.Next(), original.Next()};
  EXPECT_EQ(from_copy, from_original);
}

}  // namespace
}  // namespace logitchain
