#include "logitchain/core/arithmetic.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "logitchain/core/dialect.h"

namespace logitchain {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(ArithmeticTest, Log2OfPowersOfTwoIsExact) {
  for (int exponent = -1074; exponent <= 1023; ++exponent) {
    EXPECT_EQ(Log2(std::ldexp(1.0, exponent)), exponent);
  }
  for (int exponent = -149; exponent <= 127; ++exponent) {
    EXPECT_EQ(Log2(std::ldexp(1.0f, exponent)), exponent);
  }
}

TEST(ArithmeticTest, Log2IsCloseBetweenThem) {
  for (const double x : {1e-300, 0.1, 0.3, 0.7, 0.999, 3.0, 1e10}) {
    EXPECT_NEAR(Log2(x), std::log2(x), std::abs(std::log2(x)) * 1e-15 + 1e-16) << x;
  }
}

TEST(ArithmeticTest, LogarithmOfZero) {
  EXPECT_EQ(Log(0.0), -kInfinity);
  EXPECT_EQ(Log(0.0f), -kInfinity);
  EXPECT_EQ(Log2(0.0), -kInfinity);
  EXPECT_EQ(Log2(0.0f), -kInfinity);
}

TEST(ArithmeticTest, PowOfDouble) {
  EXPECT_EQ(Pow(0.0, 0.0), 1);
  EXPECT_EQ(Pow(kInfinity, 0.0), 1);
  EXPECT_EQ(Pow(0.1, 1.0), 0.1);
  EXPECT_EQ(Pow(0.0, 2.5), 0);
  EXPECT_EQ(Pow(1.0, 77.0), 1);
  EXPECT_DOUBLE_EQ(Pow(2.0, 10.0), 1024);
  EXPECT_DOUBLE_EQ(Pow(0.3, 2.5), std::pow(0.3, 2.5));
  EXPECT_EQ(Pow(0.5, kInfinity), 0);
  EXPECT_TRUE(std::isnan(Pow(-1.0, 0.5)));
}

TEST(ArithmeticTest, EntropySkipsZeros) {
  const std::vector<double> q = {0, 0.5, 0, 0.5};
  EXPECT_EQ(EntropyIn<double>(q), Log(2.0));
  EXPECT_EQ(EntropyIn<float>(q), Log(2.0f));
  EXPECT_EQ(EntropyIn<double>(std::vector<double>{0, 1}), 0);
}

TEST(ArithmeticTest, InArithmeticChoosesTheType) {
  const auto size = [](auto zero) { return sizeof(zero); };
  EXPECT_EQ(InArithmetic(Arithmetic::kFloat64, size), sizeof(double));
  EXPECT_EQ(InArithmetic(Arithmetic::kFloat32, size), sizeof(float));
}

}  // namespace
}  // namespace logitchain
