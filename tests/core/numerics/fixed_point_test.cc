#include "logitchain/core/numerics/fixed_point.h"

#include <cstdint>

#include "gtest/gtest.h"
#include "logitchain/tests/core/numerics/random_bits.h"

namespace logitchain::internal {
namespace {

constexpr uint64_t kAllOnes = ~uint64_t{0};
constexpr uint64_t kTopBit = uint64_t{1} << 63;
const FixedPoint kOne = FixedPoint::FromInteger(1);
const FixedPoint kUlp({1, 0, 0, 0});

TEST(FixedPointTest, FromDoubleIsExact) {
  EXPECT_EQ(FixedPoint::FromDouble(0), FixedPoint());
  EXPECT_EQ(FixedPoint::FromDouble(1), kOne);
  EXPECT_EQ(FixedPoint::FromDouble(745), FixedPoint::FromInteger(745));
  EXPECT_EQ(FixedPoint::FromDouble(0.5), FixedPoint({0, 0, kTopBit, 0}));
  EXPECT_EQ(FixedPoint::FromDouble(2.25), FixedPoint({0, 0, kTopBit / 2, 2}));
  EXPECT_EQ(FixedPoint::FromDouble(0x1p-128), FixedPoint({0, 1, 0, 0}));
  // 53 bits across a border of limbs.
  EXPECT_EQ(FixedPoint::FromDouble(0x1.8000000000001p-60),
            FixedPoint({0, uint64_t{1} << 16, uint64_t{0x18}, 0}));
  EXPECT_EQ(FixedPoint::FromDouble(0x1.0000000000001p-128),
            FixedPoint({uint64_t{1} << 12, 1, 0, 0}));
}

TEST(FixedPointTest, SumsCarryAndDifferencesBorrow) {
  const FixedPoint below_one({kAllOnes, kAllOnes, kAllOnes, 0});
  EXPECT_EQ(below_one + kUlp, kOne);
  EXPECT_EQ(kOne - kUlp, below_one);
  EXPECT_EQ(kOne - kOne, FixedPoint());
  EXPECT_EQ(FixedPoint::FromDouble(2.75) + FixedPoint::FromDouble(0.25),
            FixedPoint::FromInteger(3));
}

TEST(FixedPointTest, ProductsRoundDown) {
  EXPECT_EQ(FixedPoint::FromDouble(1.5) * FixedPoint::FromDouble(2.5),
            FixedPoint::FromDouble(3.75));
  EXPECT_EQ(FixedPoint::FromDouble(0x1p-96) * FixedPoint::FromDouble(0x1p-96), kUlp);
  EXPECT_EQ(FixedPoint::FromDouble(0x1p-97) * FixedPoint::FromDouble(0x1p-96), FixedPoint());
  // (1 - u)^2 = 1 - 2u + u^2 in units u of the last place.
  const FixedPoint below_one = kOne - kUlp;
  EXPECT_EQ(below_one * below_one, kOne - kUlp - kUlp);
}

TEST(FixedPointTest, QuotientsRoundDown) {
  EXPECT_EQ(FixedPoint::FromDouble(3.75) / 5, FixedPoint::FromDouble(0.75));
  EXPECT_EQ(kOne / 3, FixedPoint({kAllOnes / 3, kAllOnes / 3, kAllOnes / 3, 0}));
  EXPECT_EQ(kUlp / 2, FixedPoint());
}

TEST(FixedPointTest, ProductsAndQuotientsOfIntegersUndoEachOther) {
  RandomBits random(1);
  for (int i = 0; i < 1000; ++i) {
    const FixedPoint x({random.Next(), random.Next(), random.Next(), random.Next() >> 16});
    const uint64_t factor = 1 + (random.Next() >> 49);
    EXPECT_EQ((x * FixedPoint::FromInteger(factor)) / factor, x);
  }
}

TEST(FixedPointTest, OrderIsByValue) {
  EXPECT_LT(FixedPoint({kAllOnes, 0, 0, 1}), FixedPoint({0, 1, 0, 1}));
  EXPECT_LT(FixedPoint({kAllOnes, kAllOnes, kAllOnes, 0}), kOne);
  EXPECT_GT(kOne + kUlp, kOne);
}

}  // namespace
}  // namespace logitchain::internal
