#include <cmath>
#include <limits>

#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/numerics/exact_exp.h"
#include "logitchain/core/numerics/quick_log.h"
#include "logitchain/core/numerics/slow_exp_log.h"
#include "logitchain/tests/core/numerics/mpfr_reference.h"
#include "logitchain/tests/core/numerics/random_bits.h"
#include "logitchain/tests/core/numerics/same_value.h"

namespace logitchain {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
constexpr double kSmallestNormal = std::numeric_limits<double>::min();
constexpr double kLargest = std::numeric_limits<double>::max();

// Arguments whose logarithm is nearer than 2^-111 to a number of 54 bits, from Lefèvre and Muller's
// search (see exact_exp_test.cc).
constexpr double kNearHalfway[] = {
    0x1.fd15daa6ce332p732,  0x1.9476e304cd7c7p-384, 0x1.be87838f1a47cp774,  0x1.613955dc802f8p-35,
    0x1.b7f71a488641ap340,  0x1.6b3d29c0f9e6ep543,  0x1.d6a413a59c7eap502,  0x1.a8346abf875c7p-815,
    0x1.91f8729a9282bp-574, 0x1.c573e7d6a51cap-512, 0x1.ad9cb1932cb03p480,  0x1.452c8337ad7d3p-664,
    0x1.1f19ae6db054ep193,  0x1.5996e62e5753fp186,  0x1.e9d2ef9b57262p-701, 0x1.c37623fffd8a1p-218,
    0x1.bbdf7dd7ac127p331,  0x1.f2382637c71c2p460,  0x1.d3da559aa99f5p63,   0x1.6fb77644d2449p-969,
};
constexpr double kNearDouble[] = {
    0x1.62a88613629b6p678, 0x1.c90810d354618p245, 0x1.8670de0b68cadp656, 0x1.91ec4412c344fp86,
    0x1.7b1d97c902985p772, 0x1.26e9c4d32796p-232, 0x1.ac50b409c8aeep8,   0x1.fbe20477df4a7p850,
    0x1.7a8f65ad009bdp128, 0x1.9ea7540a3d1f9p953, 0x1.2b67eff65dce8p709, 0x1.ea71d85cee02p-509,
    0x1.dde003300019p-699, 0x1.b890ca8637ae2p40,
};

bool QuickStageDecides(double x) {
  const internal::BoundedLog log = internal::QuickLog(x);
  return log.high + (log.low - log.error) == log.high + (log.low + log.error);
}

// What the slow stage makes of what the quick stage found.
double SlowStage(double x) {
  const internal::BoundedLog log = internal::QuickLog(x);
  const internal::DoubleDouble sum = internal::FastTwoSum(log.high, log.low);
  return internal::SlowLog(x, sum.high, sum.low > 0);
}

// argument(random) makes an argument.
template <typename Argument>
void ExpectCorrectlyRounded(int count, Argument argument) {
  RandomBits random(20240301);
  for (int i = 0; i < count; ++i) {
    const double x = argument(random);
    ASSERT_THAT(ExactLog(x), SameValue(MpfrLog(x))) << absl::StrFormat("x = %a", x);
  }
}

TEST(ExactLogTest, SpecialValues) {
  EXPECT_THAT(ExactLog(kNan), SameValue(kNan));
  EXPECT_THAT(ExactLog(kInfinity), SameValue(kInfinity));
  EXPECT_THAT(ExactLog(0.0), SameValue(-kInfinity));
  EXPECT_THAT(ExactLog(-0.0), SameValue(-kInfinity));
  EXPECT_THAT(ExactLog(-1.0), SameValue(kNan));
  EXPECT_THAT(ExactLog(-kSmallest), SameValue(kNan));
  EXPECT_THAT(ExactLog(-kInfinity), SameValue(kNan));
  EXPECT_THAT(ExactLog(1.0), SameValue(0.0));
  EXPECT_THAT(ExactLog(2.0), SameValue(0x1.62e42fefa39efp-1));
}

TEST(ExactLogTest, EndsOfTheRange) {
  for (const double x :
       {kSmallest, 3 * kSmallest, kSmallestNormal, std::nextafter(kSmallestNormal, 0), kLargest}) {
    EXPECT_THAT(ExactLog(x), SameValue(MpfrLog(x))) << absl::StrFormat("x = %a", x);
  }
}

TEST(ExactLogTest, NeighboursOfOne) {
  double below = 1;
  double above = 1;
  for (int i = 0; i < 1000; ++i) {
    below = std::nextafter(below, 0);
    above = std::nextafter(above, 2);
    ASSERT_THAT(ExactLog(below), SameValue(MpfrLog(below))) << absl::StrFormat("x = %a", below);
    ASSERT_THAT(ExactLog(above), SameValue(MpfrLog(above))) << absl::StrFormat("x = %a", above);
  }
}

TEST(ExactLogTest, EveryTableInterval) {
  // On both sides of every border, where the two ways near 1 meet, and around powers of 2.
  for (int i = 0; i <= 256; ++i) {
    const double border = 0.5 + i / 256.0 * 1.5;
    for (const double x : {std::nextafter(border, 0), border, std::nextafter(border, 9)}) {
      EXPECT_THAT(ExactLog(x), SameValue(MpfrLog(x))) << absl::StrFormat("x = %a", x);
      EXPECT_THAT(ExactLog(1024 * x), SameValue(MpfrLog(1024 * x))) << absl::StrFormat("x = %a", x);
    }
  }
}

TEST(ExactLogTest, Normalisers) {
  ExpectCorrectlyRounded(50'000, [](RandomBits& random) { return random.Between(1, 300'000); });
  ExpectCorrectlyRounded(20'000, [](RandomBits& random) { return random.Between(1, 8); });
}

TEST(ExactLogTest, Probabilities) {
  ExpectCorrectlyRounded(50'000, [](RandomBits& random) { return random.Between(0, 1); });
}

TEST(ExactLogTest, NearOneAtEveryDistance) {
  ExpectCorrectlyRounded(
      30'000, [](RandomBits& random) { return 1 + random.WithExponentBetween(-52, -3); });
}

TEST(ExactLogTest, EveryMagnitude) {
  ExpectCorrectlyRounded(30'000, [](RandomBits& random) { return std::fabs(random.AnyDouble()); });
}

TEST(ExactLogTest, SubnormalArguments) {
  ExpectCorrectlyRounded(10'000, [](RandomBits& random) {
    return std::ldexp(static_cast<double>(random.Next() >> (12 + random.Next() % 52)), -1074);
  });
}

TEST(ExactLogTest, HardestCases) {
  for (const double x : kNearHalfway) {
    EXPECT_LT(Log2DistanceTo54Bits(Log(x)), -111) << absl::StrFormat("x = %a", x);
    EXPECT_FALSE(QuickStageDecides(x)) << absl::StrFormat("x = %a", x);
    EXPECT_THAT(ExactLog(x), SameValue(MpfrLog(x))) << absl::StrFormat("x = %a", x);
  }
  // These would be hard if results were rounded up or down.
  for (const double x : kNearDouble) {
    EXPECT_LT(Log2DistanceTo54Bits(Log(x)), -111) << absl::StrFormat("x = %a", x);
    EXPECT_THAT(ExactLog(x), SameValue(MpfrLog(x))) << absl::StrFormat("x = %a", x);
  }
}

TEST(QuickLogTest, ErrorIsWithinItsBound) {
  RandomBits random(7);
  double largest = 0;  // in units of the bound
  for (int i = 0; i < 30'000; ++i) {
    const double x = i % 3 == 0   ? random.Between(0.5, 2)
                     : i % 3 == 1 ? 1 + random.WithExponentBetween(-40, -9)
                                  : std::fabs(random.WithExponentBetween(-1022, 1023));
    const internal::BoundedLog log = internal::QuickLog(x);
    const double error = std::fabs((Log(x) - log.high - log.low).ToDouble());
    ASSERT_LE(error, log.error) << absl::StrFormat("x = %a", x);
    largest = std::fmax(largest, error / log.error);
  }
  // The bound is a worst case, but it should not be far off.
  EXPECT_GT(largest, 1.0 / 16);
}

TEST(SlowLogTest, RoundsCorrectlyOnItsOwn) {
  RandomBits random(9);
  for (int i = 0; i < 3'000; ++i) {
    const double x = i % 2 == 0 ? std::fabs(random.WithExponentBetween(-1022, 1023))
                                : 1 + random.WithExponentBetween(-52, -2);
    ASSERT_THAT(SlowStage(x), SameValue(MpfrLog(x))) << absl::StrFormat("x = %a", x);
  }
}

// The slow stage corrects a neighbour as well.
TEST(SlowLogTest, TakesEitherSideOfTheMiddle) {
  const double x = 10;
  const double log = MpfrLog(x);
  EXPECT_THAT(internal::SlowLog(x, std::nextafter(log, 0), true), SameValue(log));
  EXPECT_THAT(internal::SlowLog(x, std::nextafter(log, 9), false), SameValue(log));
  EXPECT_THAT(internal::SlowLog(x, log, true), SameValue(log));
  EXPECT_THAT(internal::SlowLog(x, log, false), SameValue(log));
}

}  // namespace
}  // namespace logitchain
