#include "logitchain/core/numerics/exact_exp_simd.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hwy/highway.h"
#include "logitchain/core/numerics/exact_exp.h"
#include "logitchain/tests/core/numerics/mpfr_reference.h"
#include "logitchain/tests/core/numerics/random_bits.h"
#include "logitchain/tests/core/numerics/same_value.h"
#include "logitchain/tests/testing/simd_target_test.h"

namespace logitchain {
namespace {

using ::testing::Each;
using ::testing::ValuesIn;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class ExactExpSimdTest : public SimdTargetTest {};

void ExpectSameAsScalar(absl::Span<const double> x) {
  std::vector<double> out(x.size());
  ExactExp(x, absl::MakeSpan(out));
  for (size_t i = 0; i < x.size(); ++i) {
    ASSERT_THAT(out[i], SameValue(ExactExp(x[i]))) << absl::StrFormat("x = %a, at %d", x[i], i);
  }
}

template <typename Argument>
void ExpectSameAsScalar(int count, Argument argument) {
  RandomBits random(11);
  std::vector<double> x(count);
  for (double& value : x) value = argument(random);
  ExpectSameAsScalar(x);
}

TEST_P(ExactExpSimdTest, DifferencesOfLogits) {
  ExpectSameAsScalar(60'000, [](RandomBits& random) { return random.Between(-40, 0); });
}

TEST_P(ExactExpSimdTest, WholeRange) {
  ExpectSameAsScalar(40'000, [](RandomBits& random) { return random.Between(-800, 720); });
}

TEST_P(ExactExpSimdTest, SubnormalResults) {
  ExpectSameAsScalar(10'000, [](RandomBits& random) { return random.Between(-746, -707); });
}

TEST_P(ExactExpSimdTest, EveryMagnitude) {
  ExpectSameAsScalar(15'000,
                     [](RandomBits& random) { return random.WithExponentBetween(-70, 10); });
  ExpectSameAsScalar(15'000, [](RandomBits& random) { return random.AnyDouble(); });
}

// By the judge of the scalar function itself.
TEST_P(ExactExpSimdTest, IsCorrectlyRounded) {
  RandomBits random(14);
  std::vector<double> x(20'000);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = i % 4 == 0   ? random.Between(-746, 710)
           : i % 4 == 1 ? random.WithExponentBetween(-60, 9)
                        : random.Between(-30, 0);
  }
  std::vector<double> out(x.size());
  ExactExp(x, absl::MakeSpan(out));
  for (size_t i = 0; i < x.size(); ++i) {
    ASSERT_THAT(out[i], SameValue(MpfrExp(x[i]))) << absl::StrFormat("x = %a", x[i]);
  }
}

// Each alone among ordinary lanes, in every lane.
TEST_P(ExactExpSimdTest, SpecialAndHardValuesInEveryLane) {
  const double values[] = {kNan,
                           kInfinity,
                           -kInfinity,
                           0.0,
                           -0.0,
                           708.0,
                           -708.0,
                           0x1.62e42fefa39efp9,   // the largest finite result
                           0x1.62e42fefa39fp9,    // the first +∞
                           -0x1.74910d52d3051p9,  // the last result that is not 0
                           -0x1.74910d52d3052p9,  // the first 0
                           -1e300,
                           0x1.9e9cbbfd6080bp-31,  // hard to round
                           -0x1.59f038076039cp6,
                           0x1p-53};
  constexpr size_t kSize = 67;
  for (const double value : values) {
    for (size_t place = 0; place < kSize; ++place) {
      std::vector<double> x(kSize, -1.5);
      x[place] = value;
      ExpectSameAsScalar(x);
    }
  }
}

TEST_P(ExactExpSimdTest, EverySizeAndAlignmentAndNothingBeyondTheSpan) {
  constexpr size_t kLargestSize = 67;
  constexpr size_t kOffsets = 8;
  constexpr double kUntouched = -123;
  RandomBits random(12);
  std::vector<double> x(kLargestSize + kOffsets);
  for (double& value : x) value = random.Between(-30, 5);
  for (size_t size = 0; size <= kLargestSize; ++size) {
    for (size_t offset = 0; offset < kOffsets; ++offset) {
      std::vector<double> out(kLargestSize + 2 * kOffsets, kUntouched);
      const absl::Span<const double> in = absl::MakeConstSpan(x).subspan(offset, size);
      ExactExp(in, absl::MakeSpan(out).subspan(kOffsets - offset, size));
      for (size_t i = 0; i < size; ++i) {
        ASSERT_THAT(out[kOffsets - offset + i], SameValue(ExactExp(in[i])))
            << size << " " << offset;
      }
      const absl::Span<const double> all = out;
      ASSERT_THAT(all.first(kOffsets - offset), Each(kUntouched)) << size << " " << offset;
      ASSERT_THAT(all.subspan(kOffsets - offset + size), Each(kUntouched)) << size << " " << offset;
    }
  }
}

TEST_P(ExactExpSimdTest, InPlace) {
  RandomBits random(13);
  std::vector<double> x(1001);
  for (double& value : x) value = random.Between(-800, 1);
  std::vector<double> in_place = x;
  ExactExp(in_place, absl::MakeSpan(in_place));
  for (size_t i = 0; i < x.size(); ++i) {
    ASSERT_THAT(in_place[i], SameValue(ExactExp(x[i]))) << absl::StrFormat("x = %a", x[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, ExactExpSimdTest, ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         SimdTargetTest::TargetName);

}  // namespace
}  // namespace logitchain
