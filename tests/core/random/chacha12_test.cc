#include "logitchain/core/random/chacha12.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/golden_file.h"

namespace logitchain {
namespace {

using ::testing::SizeIs;

struct GoldenFloat {
  uint64_t index;
  std::vector<std::string> decimals;
  uint32_t bits;
};

// What Rust's `rand` gave for one seed. Each list starts from a fresh generator.
struct GoldenSeed {
  uint64_t seed = 0;
  std::vector<GoldenFloat> floats;
  std::vector<std::pair<uint64_t, uint32_t>> words;  // Index and word.
  uint64_t hash_of_first_2048 = 0;                   // FNV-1a of the words' little-endian bytes.
  uint64_t first_double_bits = 0;                    // gen::<f64>().
};

template <typename Integer>
Integer ParseHex(absl::string_view text) {
  Integer value = 0;
  EXPECT_TRUE(absl::SimpleHexAtoi(text, &value)) << text;
  return value;
}

uint64_t ParseDecimal(absl::string_view text) {
  uint64_t value = 0;
  EXPECT_TRUE(absl::SimpleAtoi(text, &value)) << text;
  return value;
}

void AddLine(const std::vector<std::string>& fields, std::vector<GoldenSeed>& seeds) {
  const std::string& kind = fields.at(0);
  if (kind == "seed") {
    seeds.emplace_back().seed = ParseDecimal(fields.at(1));
  } else if (kind == "f32") {
    seeds.back().floats.push_back({.index = ParseDecimal(fields.at(1)),
                                   .decimals = {fields.at(2), fields.at(4)},
                                   .bits = ParseHex<uint32_t>(fields.at(3))});
  } else if (kind == "u32" || kind == "word") {
    seeds.back().words.emplace_back(ParseDecimal(fields.at(1)), ParseHex<uint32_t>(fields.at(2)));
  } else if (kind == "fnv1a64") {
    ASSERT_EQ(fields.at(1), "first2048");
    seeds.back().hash_of_first_2048 = ParseHex<uint64_t>(fields.at(2));
  } else {
    ASSERT_EQ(kind, "f64");
    seeds.back().first_double_bits = ParseHex<uint64_t>(fields.at(3));
  }
}

std::vector<GoldenSeed> ReadGolden() {
  std::vector<GoldenSeed> seeds;
  const std::string text = ReadTestFile("tests/golden/chacha12_stdrng_golden.txt");
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipWhitespace())) {
    if (line[0] != '#') AddLine(absl::StrSplit(line, ' ', absl::SkipEmpty()), seeds);
  }
  return seeds;
}

uint64_t HashWords(ChaCha12 generator, int count) {
  uint64_t hash = 0xcbf29ce484222325;
  for (int i = 0; i < count; ++i) {
    const uint32_t word = generator.Next();
    for (int shift = 0; shift < 32; shift += 8) {
      hash = (hash ^ ((word >> shift) & 0xff)) * 0x100000001b3;
    }
  }
  return hash;
}

TEST(ChaCha12GoldenTest, FileIsWhole) {
  const std::vector<GoldenSeed> seeds = ReadGolden();
  ASSERT_THAT(seeds, SizeIs(5));
  for (const GoldenSeed& golden : seeds) {
    EXPECT_THAT(golden.floats, SizeIs(16));
    EXPECT_THAT(golden.words, SizeIs(16 + 11));
  }
}

TEST(ChaCha12GoldenTest, EveryFloat) {
  for (const GoldenSeed& golden : ReadGolden()) {
    ChaCha12 generator(golden.seed);
    for (size_t i = 0; i < golden.floats.size(); ++i) {
      SCOPED_TRACE(testing::Message() << "seed " << golden.seed << ", float " << i);
      ASSERT_EQ(golden.floats[i].index, i);
      const float value = generator.NextUniformFloat();
      EXPECT_EQ(std::bit_cast<uint32_t>(value), golden.floats[i].bits);
      for (const std::string& decimal : golden.floats[i].decimals) {
        EXPECT_NEAR(value, std::stod(decimal), 1e-9);
      }
    }
  }
}

TEST(ChaCha12GoldenTest, EveryWordInOrder) {
  for (const GoldenSeed& golden : ReadGolden()) {
    for (const auto& [index, word] : golden.words) {
      ChaCha12 generator(golden.seed);
      for (uint64_t i = 0; i < index; ++i) generator.Next();
      EXPECT_EQ(generator.Next(), word) << "seed " << golden.seed << ", word " << index;
    }
  }
}

TEST(ChaCha12GoldenTest, EveryWordBySeek) {
  for (const GoldenSeed& golden : ReadGolden()) {
    ChaCha12 generator(golden.seed);
    for (const auto& [index, word] : golden.words) {
      generator.Seek(index);
      EXPECT_EQ(generator.Next(), word) << "seed " << golden.seed << ", word " << index;
    }
  }
}

TEST(ChaCha12GoldenTest, HashOfTheFirst2048Words) {
  for (const GoldenSeed& golden : ReadGolden()) {
    EXPECT_EQ(HashWords(ChaCha12(golden.seed), 2048), golden.hash_of_first_2048) << golden.seed;
  }
}

TEST(ChaCha12GoldenTest, FirstDoubleOfTwoWords) {
  // `rand` makes a double of the upper 53 bits of two words, the first of them the lower one.
  for (const GoldenSeed& golden : ReadGolden()) {
    ChaCha12 generator(golden.seed);
    const uint64_t low = generator.Next();
    const uint64_t high = generator.Next();
    const double value = static_cast<double>(((high << 32) | low) >> 11) * 0x1p-53;
    EXPECT_EQ(std::bit_cast<uint64_t>(value), golden.first_double_bits) << golden.seed;
  }
}

// Words of rand_chacha 0.3.1's ChaCha12Rng::seed_from_u64(42) after set_word_pos().
TEST(ChaCha12Test, BlockCounterHas64Bits) {
  constexpr uint64_t kWordsInFirst2To32Blocks = uint64_t{16} << 32;
  ChaCha12 generator(42);
  generator.Seek(kWordsInFirst2To32Blocks - 1);
  EXPECT_EQ(generator.Next(), 0x56b07affu);
  EXPECT_EQ(generator.Next(), 0x9f72f8c9u);
  EXPECT_EQ(generator.Next(), 0x357086c6u);
  generator.Seek(std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(generator.Next(), 0x302481d2u);
}

TEST(ChaCha12Test, PositionCountsWords) {
  ChaCha12 generator(42);
  for (uint64_t i = 0; i < 40; ++i) {
    EXPECT_EQ(generator.position(), i);
    generator.Next();
  }
  generator.NextUniformFloat();
  EXPECT_EQ(generator.position(), 41u);
  generator.Seek(12345);
  EXPECT_EQ(generator.position(), 12345u);
}

TEST(ChaCha12Test, SeekFromAnywhereToAnywhere) {
  std::vector<uint32_t> words;
  ChaCha12 in_order(42);
  for (int i = 0; i < 49; ++i) words.push_back(in_order.Next());

  for (size_t from = 0; from < 48; ++from) {
    for (size_t to = 0; to < 48; ++to) {
      ChaCha12 generator(42);
      generator.Seek(from);
      ASSERT_EQ(generator.Next(), words[from]);
      generator.Seek(to);
      ASSERT_EQ(generator.Next(), words[to]) << "from " << from;
      ASSERT_EQ(generator.Next(), words[to + 1]) << "from " << from;
    }
  }
}

TEST(ChaCha12Test, StreamRepeatsAfter2To64Words) {
  ChaCha12 generator(42);
  const uint32_t first = generator.Next();
  generator.Seek(std::numeric_limits<uint64_t>::max());
  generator.Next();
  EXPECT_EQ(generator.position(), 0u);
  EXPECT_EQ(generator.Next(), first);
}

TEST(ChaCha12Test, CopiesAreIndependent) {
  ChaCha12 original(42);
  original.Seek(15);
  ChaCha12 copy = original;
  const std::vector<uint32_t> from_copy = {copy.Next(), copy.Next()};
  const std::vector<uint32_t> from_original = {original.Next(), original.Next()};
  EXPECT_EQ(from_copy, from_original);
}

}  // namespace
}  // namespace logitchain
