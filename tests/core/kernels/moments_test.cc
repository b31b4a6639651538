// Judges the sums by long double, one by one.

#include "logitchain/core/kernels/moments.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hwy/highway.h"
#include "logitchain/core/kernels/scan.h"
#include "logitchain/tests/core/numerics/random_bits.h"
#include "logitchain/tests/testing/simd_target_test.h"

namespace logitchain {
namespace {

using ::testing::ValuesIn;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

class MomentsTest : public SimdTargetTest {
 protected:
  // That the sums over a part of `storage` are as close as the header says.
  static void ExpectWithin(absl::Span<const float> logits, const std::vector<uint32_t>& set,
                           float center) {
    long double sum = 0;
    long double magnitude = 0;
    long double squares = 0;
    for (size_t i = 0; i < logits.size(); ++i) {
      const bool is_in = set.empty() || ((set[i / 32] >> (i % 32)) & 1) != 0;
      if (!is_in || logits[i] == -kInfinity) continue;
      const long double distance = static_cast<long double>(logits[i]) - center;
      sum += distance;
      magnitude += std::abs(distance);
      squares += distance * distance;
    }
    const LogitMoments moments = SumMoments(logits, set, center);
    const long double unit = 0x1p-53L * static_cast<long double>(logits.size() + 16);
    EXPECT_LE(std::abs(moments.sum - sum), unit * magnitude);
    EXPECT_LE(std::abs(moments.sum_of_squares - squares), unit * squares);
    const LogitMoments quick = SumMomentsQuickly(logits, set, center);
    const long double smallest = 0x1p-149L * static_cast<long double>(logits.size());
    if (squares > 1e37) return;
    EXPECT_LE(std::abs(quick.sum - sum), kQuickMomentsError * magnitude);
    EXPECT_LE(std::abs(quick.sum_of_squares - squares), kQuickMomentsError * squares + smallest);
  }
};

TEST_P(MomentsTest, AreWithinTheirBound) {
  RandomBits random(17);
  for (size_t i = 0; i < 600; ++i) {
    const size_t size = i < 140 ? 1 + i / 2 : 1 + random.Next() % 3000;
    const size_t offset = random.Next() % 17;
    const double scales[] = {1, 1e-3, 1e30, 1e-40};
    const double scale = scales[random.Next() % 4];
    std::vector<float> storage(size + offset);
    for (float& logit : storage) {
      const bool is_out = random.Next() % 20 == 0;
      logit = is_out ? -kInfinity : static_cast<float>(scale * (5 + random.Between(-9, 9)));
    }
    std::vector<uint32_t> set;
    if (random.Next() % 2 == 0) {
      set.resize(WordCount(size));
      for (uint32_t& word : set) word = static_cast<uint32_t>(random.Next() | random.Next());
      for (size_t token = 0; token < size; ++token) {
        const bool is_in = ((set[token / 32] >> (token % 32)) & 1) != 0;
        if (!is_in) storage[offset + token] = random.Next() % 2 == 0 ? kInfinity : std::nanf("");
      }
    }
    const float centers[] = {0, static_cast<float>(14 * scale), static_cast<float>(-3 * scale)};
    SCOPED_TRACE(testing::Message() << size << " logits at " << offset);
    ExpectWithin(absl::MakeConstSpan(storage).subspan(offset), set, centers[random.Next() % 3]);
    if (HasFailure()) return;
  }
}

TEST_P(MomentsTest, ByHand) {
  const std::vector<float> logits = {1, -kInfinity, 4, 6};
  const LogitMoments all = SumMoments(logits, {}, 2);
  EXPECT_EQ(all.sum, -1 + 2 + 4);
  EXPECT_EQ(all.sum_of_squares, 1 + 4 + 16);
  const LogitMoments quick = SumMomentsQuickly(logits, {}, 2);
  EXPECT_EQ(quick.sum, -1 + 2 + 4);
  EXPECT_EQ(quick.sum_of_squares, 1 + 4 + 16);
  const std::vector<uint32_t> set = {0b0101};
  const LogitMoments two = SumMoments(logits, set, 2);
  EXPECT_EQ(two.sum, -1 + 2);
  EXPECT_EQ(two.sum_of_squares, 1 + 4);
  const LogitMoments quick_two = SumMomentsQuickly(logits, set, 2);
  EXPECT_EQ(quick_two.sum, -1 + 2);
  EXPECT_EQ(quick_two.sum_of_squares, 1 + 4);
}

// Equal logits are where a sum in float32 is off the most, always to the same side.
TEST_P(MomentsTest, EqualLogitsInWholeBlocks) {
  std::vector<float> logits(1000 * kBlockSize, 1 + 0x1p-12f);
  ExpectWithin(logits, {}, 0);
  logits[5] = -kInfinity;
  ExpectWithin(logits, {}, 0);
  std::vector<uint32_t> set(WordCount(logits.size()), ~uint32_t{0});
  set[20] = 0xFFFFF7FF;
  logits[20 * 32 + 11] = std::nanf("");
  ExpectWithin(logits, set, 0);
}

TEST_P(MomentsTest, QuickSquaresTooLargeAreNotFinite) {
  const std::vector<float> logits(kBlockSize, 1e25f);
  EXPECT_FALSE(std::isfinite(SumMomentsQuickly(logits, {}, 0).sum_of_squares));
  const std::vector<float> few(3, 1e25f);
  EXPECT_FALSE(std::isfinite(SumMomentsQuickly(few, {}, 0).sum_of_squares));
}

INSTANTIATE_TEST_SUITE_P(Targets, MomentsTest, ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         SimdTargetTest::TargetName);

}  // namespace
}  // namespace logitchain
