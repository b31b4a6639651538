#include "logitchain/core/random/generator.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/random/chacha12.h"
#include "logitchain/core/random/mt19937.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/random/sub_stream.h"

namespace logitchain {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Lt;

constexpr uint64_t kMaxSeed64 = std::numeric_limits<uint64_t>::max();

std::unique_ptr<UniformGenerator> Make(GeneratorKind kind, uint64_t seed) {
  absl::StatusOr<std::unique_ptr<UniformGenerator>> generator = MakeGenerator(kind, seed);
  EXPECT_TRUE(generator.ok()) << generator.status();
  return *std::move(generator);
}

std::vector<double> Take(UniformGenerator& generator, int count) {
  std::vector<double> uniforms;
  for (int i = 0; i < count; ++i) uniforms.push_back(generator.NextUniform());
  return uniforms;
}

// What every kind promises.
class EveryGeneratorTest : public testing::TestWithParam<GeneratorKind> {
 protected:
  static constexpr int kCount = 100;
  const std::unique_ptr<UniformGenerator> generator_ = Make(GetParam(), 42);
  const std::vector<double> expected_ = Take(*Make(GetParam(), 42), kCount);
};

INSTANTIATE_TEST_SUITE_P(, EveryGeneratorTest,
                         testing::Values(GeneratorKind::kPcg32SampleStream,
                                         GeneratorKind::kChaCha12, GeneratorKind::kMt19937,
                                         GeneratorKind::kMt19937Floats));

TEST_P(EveryGeneratorTest, StaysInRangeAndDoesNotRepeat) {
  EXPECT_THAT(expected_, Each(AllOf(Ge(0.0), Lt(1.0))));
  EXPECT_EQ(std::set<double>(expected_.begin(), expected_.end()).size(), expected_.size());
}

TEST_P(EveryGeneratorTest, PositionCountsUniforms) {
  for (uint64_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(generator_->position(), i);
    generator_->NextUniform();
  }
}

TEST_P(EveryGeneratorTest, SeekFromAnywhereToAnywhere) {
  for (int from = 0; from < kCount; from += 3) {
    for (int to = 0; to + 1 < kCount; ++to) {
      generator_->Seek(from);
      ASSERT_EQ(generator_->NextUniform(), expected_[from]);
      generator_->Seek(to);
      ASSERT_EQ(generator_->position(), to);
      ASSERT_EQ(generator_->NextUniform(), expected_[to]) << "from " << from;
      ASSERT_EQ(generator_->NextUniform(), expected_[to + 1]) << "from " << from;
      ASSERT_EQ(generator_->position(), to + 2);
    }
  }
}

TEST_P(EveryGeneratorTest, SeekFarAheadEqualsTakingThatMany) {
  constexpr int kFar = 100000;
  Take(*generator_, kFar);
  const std::unique_ptr<UniformGenerator> sought = Make(GetParam(), 42);
  sought->Seek(kFar);
  EXPECT_EQ(Take(*sought, kCount), Take(*generator_, kCount));
}

TEST_P(EveryGeneratorTest, CloneGoesOnFromTheSamePlaceOnItsOwn) {
  Take(*generator_, 37);
  const std::unique_ptr<UniformGenerator> clone = generator_->Clone();
  EXPECT_EQ(clone->position(), 37u);
  const std::vector<double> rest(expected_.begin() + 37, expected_.end());
  EXPECT_EQ(Take(*clone, kCount - 37), rest);
  EXPECT_EQ(generator_->position(), 37u);
  EXPECT_EQ(Take(*generator_, kCount - 37), rest);
}

TEST_P(EveryGeneratorTest, CloneSeeksBackToTheStart) {
  Take(*generator_, 37);
  const std::unique_ptr<UniformGenerator> clone = generator_->Clone();
  clone->Seek(0);
  EXPECT_EQ(Take(*clone, kCount), expected_);
}

TEST_P(EveryGeneratorTest, SeedsDiffer) {
  EXPECT_NE(Take(*Make(GetParam(), 43), kCount), expected_);
}

TEST(MakeGeneratorTest, Pcg32DrawsFromTheSampleStream) {
  EXPECT_EQ(Make(GeneratorKind::kPcg32SampleStream, 0)->NextUniform(), 0x1.9aac30ff7d566p-1);

  const std::unique_ptr<UniformGenerator> generator =
      Make(GeneratorKind::kPcg32SampleStream, kMaxSeed64);
  Pcg32 stream = SubStream(kMaxSeed64, Purpose::kSample);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(generator->NextUniform(), stream.NextUniform());
}

TEST(MakeGeneratorTest, ChaCha12DrawsFloats) {
  const std::unique_ptr<UniformGenerator> generator = Make(GeneratorKind::kChaCha12, kMaxSeed64);
  ChaCha12 words(kMaxSeed64);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(generator->NextUniform(), words.NextUniformFloat());
}

TEST(MakeGeneratorTest, Mt19937DrawsCanonicalDoubles) {
  const std::unique_ptr<UniformGenerator> generator = Make(GeneratorKind::kMt19937, 12345);
  Mt19937 words(12345);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(generator->NextUniform(), words.NextCanonicalDouble());
}

TEST(MakeGeneratorTest, Mt19937FloatsDrawsCanonicalFloats) {
  const std::unique_ptr<UniformGenerator> generator = Make(GeneratorKind::kMt19937Floats, 12345);
  Mt19937 words(12345);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(generator->NextUniform(), words.NextCanonicalFloat());
}

TEST(MakeSubStreamGeneratorTest, DrawsFromTheSubStream) {
  constexpr Purpose kPurpose{77};
  Pcg32 words = SubStream(42, kPurpose);
  const std::unique_ptr<UniformGenerator> generator = MakeSubStreamGenerator(42, kPurpose);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(generator->NextUniform(), words.NextUniform());
}

TEST(MakeGeneratorTest, Mt19937TakesEverySeedOf32Bits) {
  Mt19937 words(0xFFFFFFFF);
  EXPECT_EQ(Make(GeneratorKind::kMt19937, 0xFFFFFFFF)->NextUniform(), words.NextCanonicalDouble());
}

TEST(MakeGeneratorTest, Mt19937RefusesALongerSeed) {
  for (uint64_t seed : {uint64_t{1} << 32, kMaxSeed64}) {
    const absl::Status status = MakeGenerator(GeneratorKind::kMt19937, seed).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(), "seed is " + std::to_string(seed) +
                                    "; the generator mt19937 takes one in [0, 4294967295]");
  }
}

TEST(MakeGeneratorTest, RefusesAKindThatIsNone) {
  const absl::Status status = MakeGenerator(static_cast<GeneratorKind>(99), 0).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("GeneratorKind 99"));
}

TEST(Pcg32GeneratorTest, SeekWrapsAtThePeriod) {
  const std::unique_ptr<UniformGenerator> generator = Make(GeneratorKind::kPcg32SampleStream, 42);
  const double first = generator->NextUniform();
  generator->Seek(uint64_t{1} << 63);  // 2^64 words.
  EXPECT_EQ(generator->NextUniform(), first);
  generator->Seek((uint64_t{1} << 63) - 1);
  generator->NextUniform();
  EXPECT_EQ(generator->NextUniform(), first);
}

TEST(ChaCha12GeneratorTest, SeeksAnyDistance) {
  const std::unique_ptr<UniformGenerator> generator = Make(GeneratorKind::kChaCha12, 42);
  generator->Seek(kMaxSeed64);
  EXPECT_EQ(generator->NextUniform(), std::ldexp(0x302481d2u >> 8, -24));
}

}  // namespace
}  // namespace logitchain
