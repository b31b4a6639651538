#include "logitchain/core/random/mt19937.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/numbers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/golden_file.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using ::testing::SizeIs;

constexpr uint32_t kMaxWord = std::numeric_limits<uint32_t>::max();

// The checks in llama_golden.json: lists of values by seed.
class Mt19937GoldenTest : public testing::Test {
 protected:
  using Check = absl::FunctionRef<void(Mt19937&, const nlohmann::json&)>;

  void ForEachValueOf(const char* table, size_t values_per_seed, Check check) {
    const nlohmann::json golden = ReadGoldenJson("llama_golden.json");
    const nlohmann::json& by_seed = golden.at("__meta__").at("checks").at(table);
    ASSERT_THAT(by_seed, SizeIs(4));
    for (const auto& [seed_text, values] : by_seed.items()) {
      ASSERT_THAT(values, SizeIs(values_per_seed));
      uint32_t seed = 0;
      ASSERT_TRUE(absl::SimpleAtoi(seed_text, &seed)) << seed_text;
      Mt19937 generator(seed);
      SCOPED_TRACE("seed " + seed_text);
      for (const nlohmann::json& value : values) check(generator, value);
    }
  }
};

template <typename Integer>
Integer ParseHex(const nlohmann::json& text) {
  Integer bits = 0;
  EXPECT_TRUE(absl::SimpleHexAtoi(text.get<std::string>(), &bits)) << text;
  return bits;
}

TEST_F(Mt19937GoldenTest, FirstWords) {
  ForEachValueOf("mt19937_first_words", 4, [](Mt19937& generator, const nlohmann::json& word) {
    EXPECT_EQ(generator.Next(), word.get<uint32_t>());
  });
}

TEST_F(Mt19937GoldenTest, FirstDoublesOfTheDraw) {
  ForEachValueOf("dist_first_uniforms_f64_bits", 3,
                 [](Mt19937& generator, const nlohmann::json& bits) {
                   EXPECT_EQ(std::bit_cast<uint64_t>(generator.NextCanonicalDouble()),
                             ParseHex<uint64_t>(bits));
                 });
}

TEST_F(Mt19937GoldenTest, FirstFloatsOfXtc) {
  ForEachValueOf("xtc_first_uniforms_f32_bits", 3,
                 [](Mt19937& generator, const nlohmann::json& bits) {
                   EXPECT_EQ(std::bit_cast<uint32_t>(generator.NextCanonicalFloat()),
                             ParseHex<uint32_t>(bits));
                 });
}

TEST(Mt19937Test, TenThousandthWordThatTheStandardRequires) {
  Mt19937 generator(5489);
  generator.Discard(9999);
  EXPECT_EQ(generator.Next(), 4123659995u);
}

TEST(Mt19937Test, DiscardEqualsThatManyNextCalls) {
  for (uint64_t n : {0u, 1u, 2u, 623u, 624u, 625u, 5000u}) {
    Mt19937 stepped(42);
    Mt19937 discarded(42);
    for (uint64_t i = 0; i < n; ++i) stepped.Next();
    discarded.Discard(n);
    EXPECT_EQ(discarded.Next(), stepped.Next()) << n;
  }
}

TEST(Mt19937Test, UniformsTakeTheirWordsInOrder) {
  Mt19937 words(42);
  Mt19937 uniforms(42);
  const uint32_t low = words.Next();
  const uint32_t high = words.Next();
  EXPECT_EQ(uniforms.NextCanonicalDouble(), CanonicalDouble(low, high));
  EXPECT_EQ(uniforms.NextCanonicalFloat(), CanonicalFloat(words.Next()));
  EXPECT_EQ(uniforms.Next(), words.Next());
}

TEST(CanonicalDoubleTest, WeighsTheSecondWordMore) {
  EXPECT_EQ(CanonicalDouble(0, 0), 0.0);
  EXPECT_EQ(CanonicalDouble(1, 0), 0x1p-64);
  EXPECT_EQ(CanonicalDouble(0, 1), 0x1p-32);
  EXPECT_EQ(CanonicalDouble(0, 0x80000000), 0.5);
}

TEST(CanonicalDoubleTest, RoundsTheSumOnceToNearestEven) {
  // With a high word of 2^31 or more the double's last place is worth 2^11 of the low word.
  EXPECT_EQ(CanonicalDouble(1024, 0x80000000), 0.5);
  EXPECT_EQ(CanonicalDouble(1025, 0x80000000), 0.5 + 0x1p-53);
  EXPECT_EQ(CanonicalDouble(2048 + 1024, 0x80000000), 0.5 + 0x1p-52);
}

TEST(CanonicalDoubleTest, NeverReachesOne) {
  constexpr double kBelowOne = 1.0 - 0x1p-53;
  EXPECT_EQ(CanonicalDouble(kMaxWord, kMaxWord), kBelowOne);
  EXPECT_EQ(CanonicalDouble(kMaxWord - 1023, kMaxWord), kBelowOne);  // The first to round to 2^64.
  EXPECT_EQ(CanonicalDouble(kMaxWord - 1024, kMaxWord), kBelowOne);  // Rounds there by itself.
  EXPECT_EQ(CanonicalDouble(kMaxWord - 4095, kMaxWord), kBelowOne - 0x1p-53);
}

TEST(CanonicalFloatTest, RoundsTheWordToAFloat) {
  EXPECT_EQ(CanonicalFloat(0), 0.0f);
  EXPECT_EQ(CanonicalFloat(1), 0x1p-32f);
  EXPECT_EQ(CanonicalFloat(0x80000000), 0.5f);
  EXPECT_EQ(CanonicalFloat(0x80000080), 0.5f);
  EXPECT_EQ(CanonicalFloat(0x80000081), 0.5f + 0x1p-24f);
}

TEST(CanonicalFloatTest, NeverReachesOne) {
  constexpr float kBelowOne = 1.0f - 0x1p-24f;
  EXPECT_EQ(CanonicalFloat(kMaxWord), kBelowOne);
  EXPECT_EQ(CanonicalFloat(kMaxWord - 127), kBelowOne);  // The first to round to 2^32.
  EXPECT_EQ(CanonicalFloat(kMaxWord - 128), kBelowOne);  // Rounds there by itself.
  EXPECT_EQ(CanonicalFloat(kMaxWord - 511), kBelowOne - 0x1p-24f);
}

}  // namespace
}  // namespace logitchain
