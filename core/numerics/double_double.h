#ifndef LOGITCHAIN_CORE_NUMERICS_DOUBLE_DOUBLE_H_
#define LOGITCHAIN_CORE_NUMERICS_DOUBLE_DOUBLE_H_

#include <cfloat>

namespace logitchain::internal {

// The error-free transformations below are theorems of IEEE binary64 arithmetic with every
// operation rounded to nearest.
static_assert(FLT_EVAL_METHOD == 0, "double arithmetic must round to double after every operation");
#ifdef __FAST_MATH__
#error "-ffast-math removes the very rounding errors that this code computes"
#endif

// The unevaluated sum high + low, where |low| is small beside |high|.
struct DoubleDouble {
  double high;
  double low;
};

// a + b exactly, with high = a + b rounded. Needs a = 0 or an exponent of a not below b's, as
// |a| >= |b| gives. Dekker, "A floating-point technique for extending the available precision"
// (1971).
constexpr DoubleDouble FastTwoSum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// a in two halves of at most 26 bits, so that a product of halves is exact. Needs |a| < 2^996.
// G. W. Veltkamp's splitting, see Dekker as above.
constexpr DoubleDouble Split(double a) {
  const double scaled = a * (0x1p27 + 1);
  const double high = scaled - (scaled - a);
  return {high, a - high};
}

// a * b exactly, with high = a * b rounded. Needs |a|, |b| < 2^996 and the product 0 or within
// [2^-968, 2^1023], where no partial product overflows or loses bits to underflow. Dekker, as
// above: the same bits with and without a hardware FMA, which it does not use.
constexpr DoubleDouble TwoProduct(double a, double b) {
  const DoubleDouble x = Split(a);
  const DoubleDouble y = Split(b);
  const double product = a * b;
  const double error =
      ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low;
  return {product, error};
}

}  // namespace logitchain::internal

#endif  // LOGITCHAIN_CORE_NUMERICS_DOUBLE_DOUBLE_H_
