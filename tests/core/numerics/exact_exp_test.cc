#include "logitchain/core/numerics/exact_exp.h"

#include <cmath>
#include <limits>

#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/numerics/quick_exp.h"
#include "logitchain/core/numerics/slow_exp_log.h"
#include "logitchain/tests/core/numerics/mpfr_reference.h"
#include "logitchain/tests/core/numerics/random_bits.h"
#include "logitchain/tests/core/numerics/same_value.h"

namespace logitchain {
namespace {

using ::testing::AllOf;
using ::testing::Gt;
using ::testing::Le;
using ::testing::Lt;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
constexpr double kSmallestNormal = std::numeric_limits<double>::min();
constexpr double kLargest = std::numeric_limits<double>::max();

// Arguments whose exponential is nearer than 2^-104 to a number of 54 bits. Most come out of the
// exhaustive search by V. Lefèvre and J.-M. Muller, "Worst Cases for Correct Rounding of the
// Elementary Functions in Double Precision" (2001), by way of CORE-MATH.
constexpr double kNearHalfway[] = {
    0x1.9e9cbbfd6080bp-31,  -0x1.4bd46601ae1efp-31, 0x1.ba07d73250de7p-14,
    0x1.ffff7fffe0001p-36,  -0x1.85e60704a3a9cp-30, 0x1.accfbe46b4efp-1,
    0x1.e5ba92aa9b1efp-20,  -0x1.ff171507f8ba5p-30, 0x1.282aae3169ee7p-20,
    -0x1.0401ae48409b5p-28, 0x1.aca7ae8da5a7bp0,    -0x1.d3f3799439415p-3,
    0x1.413f33fe6ce07p-31,  0x1.273c188aa7b14p2,    0x1.8cd99fffb319cp-34,
    0x1.f8e165f8388f7p-30,  -0x1.7fb235d76cce7p-8,  -0x1.59f038076039cp6,
    -0x1.02393d5976769p1,   -0x1.c794ddcbd661ap3,   -0x1.d1d85a7f253d3p-15,
    0x1.005ae04256babp-1,   0x1.7d7fc2e4f5fccp-3,   0x1.00091a4a0dae5p2,
    0x1.bcab27d05abdep-2,   -0x1.a4187f2ca71f9p-6,  -0x1.85068c07fbbf6p-1,
    -0x1.150dd1bf6ae1dp3,   0x1.fffffffffffffp-54,  0x1p-53,
    -0x1.0000000000001p-54,
};
constexpr double kNearDouble[] = {
    0x1.fffffffffffffp-53,
    0x1.83d4bcdebb3f4p2,
    -0x1.a2fefefd580dfp-13,
    0x1.e07e71bfcf06fp5,
    0x1.d77fd13d27fffp-11,
    0x1.54cd1fea7663ap7,
    0x1.d6479eba7c971p8,
    -0x1.1ff9b8e8b38bep-7,
    -0x1.4156584bcd084p7,
    0x1.c7206c1b753e4p8,
    -0x1p-53,
    0x1p-52,
};

bool QuickStageDecides(double x) {
  const internal::ScaledDoubleDouble exp = internal::QuickExp(x);
  return exp.head + (exp.tail - internal::kQuickExpError) ==
         exp.head + (exp.tail + internal::kQuickExpError);
}

double QuickStageError(double x) {
  const internal::ScaledDoubleDouble exp = internal::QuickExp(x);
  return std::fabs((Scale(Exp(x), -exp.exponent) - exp.head - exp.tail).ToDouble());
}

// argument(random) makes an argument.
template <typename Argument>
void ExpectCorrectlyRounded(int count, Argument argument) {
  RandomBits random(20240229);
  for (int i = 0; i < count; ++i) {
    const double x = argument(random);
    ASSERT_THAT(ExactExp(x), SameValue(MpfrExp(x))) << absl::StrFormat("x = %a", x);
  }
}

TEST(ExactExpTest, SpecialValues) {
  EXPECT_THAT(ExactExp(kNan), SameValue(kNan));
  EXPECT_THAT(ExactExp(kInfinity), SameValue(kInfinity));
  EXPECT_THAT(ExactExp(-kInfinity), SameValue(0.0));
  EXPECT_THAT(ExactExp(0.0), SameValue(1.0));
  EXPECT_THAT(ExactExp(-0.0), SameValue(1.0));
  EXPECT_THAT(ExactExp(1.0), SameValue(0x1.5bf0a8b145769p1));
  EXPECT_THAT(ExactExp(kLargest), SameValue(kInfinity));
  EXPECT_THAT(ExactExp(-kLargest), SameValue(0.0));
}

TEST(ExactExpTest, OverflowBeginsWhereTheHeaderSays) {
  constexpr double kFirst = 0x1.62e42fefa39fp9;
  EXPECT_THAT(ExactExp(kFirst), SameValue(kInfinity));
  EXPECT_THAT(MpfrExp(kFirst), SameValue(kInfinity));
  const double last_finite = std::nextafter(kFirst, 0);
  EXPECT_THAT(ExactExp(last_finite), SameValue(MpfrExp(last_finite)));
  EXPECT_LT(ExactExp(last_finite), kInfinity);
}

TEST(ExactExpTest, UnderflowBeginsWhereTheHeaderSays) {
  constexpr double kFirst = -0x1.74910d52d3052p9;
  EXPECT_THAT(ExactExp(kFirst), SameValue(0.0));
  EXPECT_THAT(MpfrExp(kFirst), SameValue(0.0));
  const double last = std::nextafter(kFirst, 0);
  EXPECT_THAT(ExactExp(last), SameValue(kSmallest));
  EXPECT_THAT(MpfrExp(last), SameValue(kSmallest));
}

TEST(ExactExpTest, BordersBetweenPathsAndRanges) {
  // log 2^-1022, the borders ±708 of the usual path, and e^x = 1.5 * 2^-1074, a subnormal's
  // halfway.
  for (const double border : {-0x1.6232bdd7abcd2p9, 708.0, -708.0, -0x1.7427e0f2d8ed5p9}) {
    double x = border - 50 * std::ldexp(1.0, -43);
    for (int i = 0; i < 100; ++i) {
      EXPECT_THAT(ExactExp(x), SameValue(MpfrExp(x))) << absl::StrFormat("x = %a", x);
      x = std::nextafter(x, kInfinity);
    }
  }
}

TEST(ExactExpTest, TinyArguments) {
  for (const double x :
       {0x1p-54, 0x1.0000000000001p-54, 0x1p-53, 0x1.0000000000001p-53, 0x1p-52, 0x1.8p-53, 0x1p-26,
        0x1.8p-27, 0x1p-60, 0x1p-1000, kSmallestNormal, kSmallest}) {
    EXPECT_THAT(ExactExp(x), SameValue(MpfrExp(x))) << absl::StrFormat("x = %a", x);
    EXPECT_THAT(ExactExp(-x), SameValue(MpfrExp(-x))) << absl::StrFormat("x = -%a", x);
  }
}

TEST(ExactExpTest, DifferencesOfLogits) {
  ExpectCorrectlyRounded(60'000, [](RandomBits& random) { return random.Between(-40, 0); });
}

TEST(ExactExpTest, DifferencesOfFloats) {
  ExpectCorrectlyRounded(30'000, [](RandomBits& random) {
    return static_cast<double>(static_cast<float>(random.Between(-100, 0)));
  });
}

TEST(ExactExpTest, WholeRange) {
  ExpectCorrectlyRounded(50'000, [](RandomBits& random) { return random.Between(-746, 710); });
}

TEST(ExactExpTest, EveryMagnitude) {
  ExpectCorrectlyRounded(30'000,
                         [](RandomBits& random) { return random.WithExponentBetween(-70, 9); });
  ExpectCorrectlyRounded(10'000, [](RandomBits& random) { return random.AnyDouble(); });
}

TEST(ExactExpTest, SubnormalResults) {
  ExpectCorrectlyRounded(30'000, [](RandomBits& random) { return random.Between(-745.2, -707.5); });
}

// Found by a search for subnormal results that the quick stage would get wrong on its own.
TEST(ExactExpTest, SubnormalResultsThatNeedTheSlowStage) {
  for (const double x : {-0x1.6284312c6d88p9, -0x1.623eebb83e8e1p9, -0x1.6248a055bae6bp9,
                         -0x1.624b8d07d5a3ep9, -0x1.627c5bd1f85f5p9, -0x1.6279cc7eb52aap9}) {
    EXPECT_THAT(ExactExp(x), SameValue(MpfrExp(x))) << absl::StrFormat("x = %a", x);
  }
}

TEST(ExactExpTest, HardestCases) {
  for (const double x : kNearHalfway) {
    EXPECT_LT(Log2DistanceTo54Bits(Exp(x)), -104) << absl::StrFormat("x = %a", x);
    EXPECT_FALSE(QuickStageDecides(x)) << absl::StrFormat("x = %a", x);
    EXPECT_THAT(ExactExp(x), SameValue(MpfrExp(x))) << absl::StrFormat("x = %a", x);
  }
  // These would be hard if results were rounded up or down.
  for (const double x : kNearDouble) {
    EXPECT_LT(Log2DistanceTo54Bits(Exp(x)), -104) << absl::StrFormat("x = %a", x);
    EXPECT_THAT(ExactExp(x), SameValue(MpfrExp(x))) << absl::StrFormat("x = %a", x);
    EXPECT_THAT(internal::SlowExp(x), SameValue(MpfrExp(x))) << absl::StrFormat("x = %a", x);
  }
}

TEST(QuickExpTest, ErrorIsWithinItsBound) {
  RandomBits random(7);
  double largest = 0;
  for (int i = 0; i < 20'000; ++i) {
    const double x = i % 2 == 0 ? random.Between(-745.5, 709.9) : random.Between(-1, 1);
    const double error = QuickStageError(x);
    ASSERT_LE(error, internal::kQuickExpError) << absl::StrFormat("x = %a", x);
    largest = std::fmax(largest, error);
  }
  // The bound is a worst case, but it should not be far off.
  EXPECT_GT(largest, internal::kQuickExpError / 16);
}

TEST(QuickExpTest, DecidesAllButAboutOneIn10000) {
  RandomBits random(8);
  constexpr int kCount = 1'000'000;
  int undecided = 0;
  for (int i = 0; i < kCount; ++i) undecided += QuickStageDecides(random.Between(-40, 0)) ? 0 : 1;
  EXPECT_THAT(undecided, AllOf(Gt(kCount / 20'000), Lt(kCount / 5'000)));
}

TEST(SlowExpTest, RoundsCorrectlyOnItsOwn) {
  RandomBits random(9);
  for (int i = 0; i < 6'000; ++i) {
    const double x = i % 3 == 0   ? random.Between(-745.13, 709.78)
                     : i % 3 == 1 ? random.WithExponentBetween(-59, 8)
                                  : random.Between(-745.13, -708);
    ASSERT_THAT(internal::SlowExp(x), SameValue(MpfrExp(x))) << absl::StrFormat("x = %a", x);
  }
}

}  // namespace
}  // namespace logitchain
