#include "logitchain/core/decode/completion_seed.h"

#include <cstdint>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/random/sub_stream.h"

namespace logitchain {
namespace {

using ::testing::SizeIs;

TEST(CompletionSeedTest, TheFirstHasTheSeedItself) {
  EXPECT_EQ(CompletionSeed(0, 0), 0u);
  EXPECT_EQ(CompletionSeed(UINT64_MAX, 0), UINT64_MAX);
}

// Pins what people have stored; computed with a plain transcription into Python.
TEST(CompletionSeedTest, OthersAreFixedForEver) {
  EXPECT_EQ(CompletionSeed(0, 1), 0x4091393B54C2325Fu);
  EXPECT_EQ(CompletionSeed(42, 1), 0xFB31D93CBCA28FF7u);
  EXPECT_EQ(CompletionSeed(42, 2), 0x355E559077D180BBu);
}

TEST(CompletionSeedTest, SeedsAndIndicesNearEachOtherHaveNothingInCommon) {
  constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;
  std::set<uint64_t> seeds;
  std::set<uint32_t> low_halves;
  for (uint64_t i = 0; i < 100; ++i) {
    for (uint32_t index = 0; index < 100; ++index) {
      seeds.insert(CompletionSeed(i * kGolden, index));
      seeds.insert(CompletionSeed(i + 1, index));
    }
  }
  EXPECT_THAT(seeds, SizeIs(20000));
  for (uint32_t index = 1; index < 1000; ++index) {
    low_halves.insert(static_cast<uint32_t>(CompletionSeed(42, index)));
  }
  EXPECT_THAT(low_halves, SizeIs(999));
}

TEST(CompletionSeedTest, IsNoSubStreamOfAPurpose) {
  std::set<uint64_t> seeds;
  for (uint32_t i = 1; i < 10; ++i) {
    seeds.insert(CompletionSeed(42, i));
    seeds.insert(ChildSeed(42, Purpose{i}));
  }
  EXPECT_THAT(seeds, SizeIs(18));
}

}  // namespace
}  // namespace logitchain
