#include "logitchain/core/numerics/float_exp.h"

#include <cmath>
#include <limits>

#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/core/numerics/mpfr_reference.h"
#include "logitchain/tests/core/numerics/random_bits.h"
#include "logitchain/tests/core/numerics/same_value.h"

namespace logitchain {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kSmallest = std::numeric_limits<float>::denorm_min();
constexpr float kLargest = std::numeric_limits<float>::max();

// A positive finite float, and any finite float, of any exponent.
float AnyPositive(RandomBits& random) {
  const float x = std::fabs(random.AnyFloat());
  return x > 0 && x < kInfinity ? x : 1;
}

float AnyFinite(RandomBits& random) {
  const float x = random.AnyFloat();
  return std::isfinite(x) ? x : 1;
}

// How far GlibcExpf(x) is from e^x, in units in the last place of a normal result.
double GlibcErrorInUlps(float x) {
  const double exact = MpfrExp(x);
  return std::fabs(GlibcExpf(x) - exact) / std::ldexp(1.0, std::ilogb(exact) - 23);
}

TEST(GlibcExpfTest, SpecialValues) {
  EXPECT_THAT(GlibcExpf(kNan), SameValue(kNan));
  EXPECT_THAT(GlibcExpf(kInfinity), SameValue(kInfinity));
  EXPECT_THAT(GlibcExpf(-kInfinity), SameValue(0.0f));
  EXPECT_THAT(GlibcExpf(0.0f), SameValue(1.0f));
  EXPECT_THAT(GlibcExpf(-0.0f), SameValue(1.0f));
  EXPECT_THAT(GlibcExpf(kLargest), SameValue(kInfinity));
  EXPECT_THAT(GlibcExpf(-kLargest), SameValue(0.0f));
  EXPECT_THAT(GlibcExpf(kSmallest), SameValue(1.0f));
}

TEST(GlibcExpfTest, EndsOfTheRange) {
  EXPECT_THAT(GlibcExpf(0x1.62e42ep6f), SameValue(0x1.ffff08p127f));
  EXPECT_THAT(GlibcExpf(0x1.62e43p6f), SameValue(kInfinity));
  EXPECT_THAT(GlibcExpf(-0x1.9fe368p6f), SameValue(kSmallest));
  EXPECT_THAT(GlibcExpf(-0x1.9fe36ap6f), SameValue(0.0f));
}

// glibc's own results where they are not the correctly rounded ones, which tells its method from
// others. They come from Debian 12's glibc 2.36 under
// GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2, where GlibcExpf has been compared with expf at
// all 2^32 floats: no difference.
TEST(GlibcExpfTest, ResultsThatAreNotTheNearest) {
  struct {
    float x;
    float glibc;
    float nearest;
  } cases[] = {
      {-0x1.af8c0ap-7f, 0x1.f94d22p-1f, 0x1.f94d2p-1f},
      {-0x1.13c1b6p+3f, 0x1.7b7072p-13f, 0x1.7b707p-13f},
      {0x1.4d9224p+3f, 0x1.06f99ep+15f, 0x1.06f99cp+15f},
      {0x1.bdc454p+0f, 0x1.6d188ep+2f, 0x1.6d188cp+2f},
      {-0x1.67fa16p-7f, 0x1.fa67f8p-1f, 0x1.fa67fap-1f},
      {0x1.5fc5fcp-1f, 0x1.fce43ap+0f, 0x1.fce438p+0f},
      {-0x1.e46fe6p-9f, 0x1.fe1c76p-1f, 0x1.fe1c74p-1f},
      {-0x1.c9a33p+0f, 0x1.56bd7cp-3f, 0x1.56bd7ep-3f},
      {-0x1.2935bap+6f, 0x1.bf0562p-108f, 0x1.bf056p-108f},
      {0x1.10896ap-9f, 0x1.00886ap+0f, 0x1.008868p+0f},
      {0x1.438e92p+6f, 0x1.9f702p+116f, 0x1.9f701ep+116f},
      {0x1.a41b14p+5f, 0x1.b1b40cp+75f, 0x1.b1b40ap+75f},
  };
  for (const auto& c : cases) {
    EXPECT_THAT(GlibcExpf(c.x), SameValue(c.glibc)) << absl::StrFormat("x = %a", c.x);
    EXPECT_THAT(MpfrExpf(c.x), SameValue(c.nearest)) << absl::StrFormat("x = %a", c.x);
  }
}

// Where glibc's variant for CPUs with FMA, the only two floats in all, has another result.
TEST(GlibcExpfTest, ResultsThatFmaWouldChange) {
  EXPECT_THAT(GlibcExpf(0x1.04845ep5f), SameValue(0x1.f93e36p46f));
  EXPECT_THAT(GlibcExpf(-0x1.f8cbb2p5f), SameValue(0x1.f45324p-92f));
}

TEST(GlibcExpfTest, ErrorIsWithinThePublishedBound) {
  RandomBits random(1);
  for (int i = 0; i < 50'000; ++i) {
    const auto x = static_cast<float>(random.Between(-87, 88.7));
    ASSERT_LE(GlibcErrorInUlps(x), 0.5022) << absl::StrFormat("x = %a", x);
  }
}

TEST(GlibcExpfTest, SubnormalResultsAreRoundedOnce) {
  RandomBits random(2);
  int different = 0;
  for (int i = 0; i < 5'000; ++i) {
    const auto x = static_cast<float>(random.Between(-104, -87.4));
    different += GlibcExpf(x) != MpfrExpf(x) ? 1 : 0;
  }
  EXPECT_LT(different, 5);
}

TEST(RoundedExpfTest, SpecialValues) {
  EXPECT_THAT(RoundedExpf(kNan), SameValue(kNan));
  EXPECT_THAT(RoundedExpf(kInfinity), SameValue(kInfinity));
  EXPECT_THAT(RoundedExpf(-kInfinity), SameValue(0.0f));
  EXPECT_THAT(RoundedExpf(-0.0f), SameValue(1.0f));
  EXPECT_THAT(RoundedExpf(89.0f), SameValue(kInfinity));
  EXPECT_THAT(RoundedExpf(-104.0f), SameValue(0.0f));
}

TEST(RoundedExpfTest, IsCorrectlyRounded) {
  RandomBits random(3);
  for (int i = 0; i < 40'000; ++i) {
    const auto x = i % 4 == 0 ? random.AnyFloat() : static_cast<float>(random.Between(-105, 89));
    ASSERT_THAT(RoundedExpf(x), SameValue(MpfrExpf(x))) << absl::StrFormat("x = %a", x);
  }
}

TEST(RoundedLogfTest, SpecialValues) {
  EXPECT_THAT(RoundedLogf(kNan), SameValue(kNan));
  EXPECT_THAT(RoundedLogf(kInfinity), SameValue(kInfinity));
  EXPECT_THAT(RoundedLogf(0.0f), SameValue(-kInfinity));
  EXPECT_THAT(RoundedLogf(-0.0f), SameValue(-kInfinity));
  EXPECT_THAT(RoundedLogf(-1.0f), SameValue(kNan));
  EXPECT_THAT(RoundedLogf(1.0f), SameValue(0.0f));
  EXPECT_THAT(RoundedLogf(kSmallest), SameValue(MpfrLogf(kSmallest)));
}

TEST(RoundedLogfTest, IsCorrectlyRounded) {
  RandomBits random(4);
  for (int i = 0; i < 40'000; ++i) {
    const auto x = i % 2 == 0 ? AnyPositive(random) : static_cast<float>(random.Between(0, 1));
    ASSERT_THAT(RoundedLogf(x), SameValue(MpfrLogf(x))) << absl::StrFormat("x = %a", x);
  }
}

TEST(RoundedLogfTest, IsTheRoundedDoubleAtTheFiveFloatsWhereThatMatters) {
  for (const float x :
       {0x1.827a74p-7f, 0x1.2f1fd6p+3f, 0x1.bacb4ap+25f, 0x1.b121a6p+76f, 0x1.6351d8p+95f}) {
    EXPECT_THAT(RoundedLogf(x), SameValue(static_cast<float>(MpfrLog(x))))
        << absl::StrFormat("%a", x);
    EXPECT_NE(RoundedLogf(x), MpfrLogf(x)) << absl::StrFormat("%a", x);
  }
}

TEST(RoundedLog2fTest, SpecialValues) {
  EXPECT_THAT(RoundedLog2f(kNan), SameValue(kNan));
  EXPECT_THAT(RoundedLog2f(kInfinity), SameValue(kInfinity));
  EXPECT_THAT(RoundedLog2f(0.0f), SameValue(-kInfinity));
  EXPECT_THAT(RoundedLog2f(-0.0f), SameValue(-kInfinity));
  EXPECT_THAT(RoundedLog2f(-1.0f), SameValue(kNan));
  EXPECT_THAT(RoundedLog2f(1.0f), SameValue(0.0f));
}

TEST(RoundedLog2fTest, PowersOf2AreExact) {
  for (int exponent = -149; exponent < 128; ++exponent) {
    EXPECT_EQ(RoundedLog2f(std::ldexp(1.0f, exponent)), exponent);
  }
}

TEST(RoundedLog2fTest, IsCorrectlyRounded) {
  RandomBits random(5);
  for (int i = 0; i < 40'000; ++i) {
    const auto x = i % 2 == 0 ? AnyPositive(random) : static_cast<float>(random.Between(0, 1));
    ASSERT_THAT(RoundedLog2f(x), SameValue(MpfrLog2f(x))) << absl::StrFormat("x = %a", x);
  }
}

TEST(RoundedPowfTest, SpecialValuesOfAnnexF) {
  for (const float x : {0.0f, -0.0f, 1.0f, -2.0f, kInfinity, -kInfinity, kNan}) {
    EXPECT_THAT(RoundedPowf(x, 0.0f), SameValue(1.0f)) << x;
    EXPECT_THAT(RoundedPowf(x, -0.0f), SameValue(1.0f)) << x;
    EXPECT_THAT(RoundedPowf(1.0f, x), SameValue(1.0f)) << x;
  }
  const float values[] = {0.0f,      1.0f,           2.0f,        3.0f,         0.5f,
                          1.5f,      0x1.fffffep-1f, 1e30f,       kSmallest,    4.5f,
                          kLargest,  8388607.5f,     16777215.0f, 16777216.0f,  7.0f,
                          kInfinity, kNan,           0.25f,       0x1.000002p0f};
  for (const float x : values) {
    for (const float y : values) {
      for (const float a : {x, -x}) {
        for (const float b : {y, -y}) {
          EXPECT_THAT(RoundedPowf(a, b), SameValue(MpfrPowf(a, b)))
              << absl::StrFormat("%a ^ %a", a, b);
        }
      }
    }
  }
}

TEST(RoundedPowfTest, IsCorrectlyRounded) {
  RandomBits random(6);
  for (int i = 0; i < 60'000; ++i) {
    const float x = i % 3 == 0 ? AnyPositive(random) : static_cast<float>(random.Between(0, 2));
    const float y = i % 3 == 1 ? AnyFinite(random) : static_cast<float>(random.Between(-40, 40));
    ASSERT_THAT(RoundedPowf(x, y), SameValue(MpfrPowf(x, y))) << absl::StrFormat("%a ^ %a", x, y);
  }
}

TEST(RoundedPowfTest, BasesNextToOne) {
  RandomBits random(7);
  for (int i = 0; i < 10'000; ++i) {
    const auto x = static_cast<float>(1 + random.WithExponentBetween(-24, -6));
    const auto y = static_cast<float>(random.WithExponentBetween(0, 30));
    ASSERT_THAT(RoundedPowf(x, y), SameValue(MpfrPowf(x, y))) << absl::StrFormat("%a ^ %a", x, y);
  }
}

// Squares of 13 bits' numbers have up to 26 bits, so a quarter of them lies halfway between floats.
TEST(RoundedPowfTest, ExactResultsAndTies) {
  for (int root = 4097; root < 8192; root += 2) {
    const auto x = static_cast<float>(root);
    const float square = RoundedPowf(x, 2.0f);
    EXPECT_THAT(square, SameValue(static_cast<float>(root) * static_cast<float>(root))) << root;
    const int small = root / 2;
    EXPECT_EQ(RoundedPowf(static_cast<float>(small * small), 0.5f), static_cast<float>(small));
  }
}

}  // namespace
}  // namespace logitchain
