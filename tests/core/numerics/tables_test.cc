#include <cmath>
#include <cstdint>

#include "gtest/gtest.h"
#include "logitchain/core/numerics/exp2_table.h"
#include "logitchain/core/numerics/log_table.h"
#include "logitchain/tests/core/numerics/mpfr_reference.h"

namespace logitchain::internal {
namespace {

TEST(Exp2TableTest, EveryEntry) {
  for (int j = 0; j < kExp2TableSize; ++j) {
    const Mpfr power = Exp2(j / 128.0);
    const Mpfr head = RoundToMultiple(power, -26);
    EXPECT_EQ(kExp2Table[j].head, head.ToDouble()) << j;
    EXPECT_EQ(kExp2Table[j].tail, (power - head).ToDouble()) << j;
  }
}

// GlibcExpf takes its own table from this one.
TEST(Exp2TableTest, PartsAddUpToThe32ndPowers) {
  for (int j = 0; j < kExp2TableSize; j += 4) {
    EXPECT_EQ(kExp2Table[j].head + kExp2Table[j].tail, Exp2(j / 128.0).ToDouble()) << j;
  }
}

TEST(Exp2TableTest, FractionsAreTheNearest64Bits) {
  for (int j = 0; j < kExp2TableSize; ++j) {
    const Mpfr fraction = Scale(Exp2(j / 128.0) - 1, 64);
    const auto word = static_cast<uint64_t>(kExp2Fractions[j]);
    // In two parts, as a word may not fit a double.
    const Mpfr error = fraction - static_cast<double>(word >> 32) * 0x1p32 -
                       static_cast<double>(word & 0xffffffff);
    EXPECT_LE(std::fabs(error.ToDouble()), 0.5 + 0x1p-10) << j;
  }
}

TEST(LogTableTest, EveryEntry) {
  for (int i = 0; i < kLogTableSize; ++i) {
    const double whole = 1 + (i + 0.5) / kLogTableSize;
    const double middle = i >= kLogTableFirstHalved ? whole / 2 : whole;
    EXPECT_EQ(kLogTable[i].reciprocal, RoundToMultiple(Mpfr(1) / middle, -9).ToDouble()) << i;
    const Mpfr log = Mpfr(0) - Log(kLogTable[i].reciprocal);
    const Mpfr head = RoundToMultiple(log, -42);
    EXPECT_EQ(kLogTable[i].head, head.ToDouble()) << i;
    EXPECT_EQ(kLogTable[i].tail, (log - head).ToDouble()) << i;
  }
}

}  // namespace
}  // namespace logitchain::internal
