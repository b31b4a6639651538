#include "logitchain/core/kernels/widen.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hwy/highway.h"
#include "logitchain/tests/testing/simd_target_test.h"

namespace logitchain {
namespace {

using ::testing::ValuesIn;

constexpr int kAllHalves = 1 << 16;

// Straight from the format's definition.
float Float16Value(uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1F;
  const int fraction = bits & 0x3FF;
  double magnitude = 0;
  if (exponent == 0x1F) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::nan("");
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, -24);
  } else {
    magnitude = std::ldexp(1024 + fraction, exponent - 25);
  }
  return static_cast<float>(std::copysign(magnitude, bits & 0x8000 ? -1.0 : 1.0));
}

float Bfloat16Value(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

class WidenTest : public SimdTargetTest {};

void ExpectSame(float actual, float expected, uint16_t bits) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(actual)) << bits;
  } else {
    EXPECT_EQ(std::bit_cast<uint32_t>(actual), std::bit_cast<uint32_t>(expected)) << bits;
  }
}

std::vector<uint16_t> AllHalves() {
  std::vector<uint16_t> halves(kAllHalves);
  for (int i = 0; i < kAllHalves; ++i) halves[i] = static_cast<uint16_t>(i);
  return halves;
}

TEST_P(WidenTest, EveryFloat16IsExact) {
  const std::vector<uint16_t> halves = AllHalves();
  std::vector<float> floats(halves.size());
  WidenFloat16(halves.data(), absl::MakeSpan(floats));
  for (size_t i = 0; i < halves.size(); ++i) {
    ExpectSame(floats[i], Float16Value(halves[i]), halves[i]);
  }
}

TEST_P(WidenTest, EveryBfloat16IsExact) {
  const std::vector<uint16_t> halves = AllHalves();
  std::vector<float> floats(halves.size());
  WidenBfloat16(halves.data(), absl::MakeSpan(floats));
  for (size_t i = 0; i < halves.size(); ++i) {
    ExpectSame(floats[i], Bfloat16Value(halves[i]), halves[i]);
  }
}

// Of a vector each that holds nothing but the numbers asked for, so that AddressSanitizer sees a
// read beyond them.
TEST_P(WidenTest, EverySizeAndAddressAndNothingBeyond) {
  constexpr float kUntouched = -123;
  std::vector<size_t> sizes = {511, 512, 513, 1025};
  for (size_t size = 0; size <= 70; ++size) sizes.push_back(size);
  for (const size_t size : sizes) {
    for (size_t offset = 0; offset < 5; ++offset) {
      std::vector<uint8_t> bytes(offset + 2 * size);
      for (size_t i = 0; i < size; ++i) {
        const auto half = static_cast<uint16_t>(0x3C00 + 7 * i);
        std::memcpy(bytes.data() + offset + 2 * i, &half, sizeof(half));
      }
      std::vector<float> out(size + 9, kUntouched);
      WidenFloat16(bytes.data() + offset, absl::MakeSpan(out).first(size));
      for (size_t i = 0; i < size; ++i) ASSERT_EQ(out[i], Float16Value(0x3C00 + 7 * i));
      for (size_t i = size; i < out.size(); ++i) ASSERT_EQ(out[i], kUntouched);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, WidenTest, ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         SimdTargetTest::TargetName);

}  // namespace
}  // namespace logitchain
