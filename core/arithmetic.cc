#include "logitchain/core/arithmetic.h"

#include <cmath>

#include "logitchain/core/numerics/exact_exp.h"
#include "logitchain/core/numerics/float_exp.h"

namespace logitchain {

float Log(float x) { return RoundedLogf(x); }
double Log(double x) { return ExactLog(x); }

float Log2(float x) { return RoundedLog2f(x); }

double Log2(double x) {
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;       // ExactLog(2)
  if (!(x > 0) || std::isinf(x)) return ExactLog(x);  // the same special values
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return exponent + ExactLog(fraction) / kLn2;
}

float Pow(float x, float y) { return RoundedPowf(x, y); }

double Pow(double x, double y) {
  if (y == 0) return 1;
  if (y == 1) return x;
  return ExactExp(y * ExactLog(x));
}

}  // namespace logitchain
