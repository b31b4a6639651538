#ifndef LOGITCHAIN_CORE_ARITHMETIC_H_
#define LOGITCHAIN_CORE_ARITHMETIC_H_

#include "absl/types/span.h"
#include "logitchain/core/dialect.h"

namespace logitchain {

// Functions of a dialect's Real, which is float or double. Those of float are computed in double
// and rounded once (core/numerics/float_exp.h). Those of double are made of the correctly rounded
// ExactExp and ExactLog, in the way that is written down here, so that they, too, are the same on
// every machine.

// The natural logarithm; of 0 it is −∞.
float Log(float x);
double Log(double x);

// The binary logarithm. For double: with x = m·2^e and m in [1/2, 1) it is e + Log(m) / Log(2),
// which is exact for powers of two.
float Log2(float x);
double Log2(double x);

// x^y for x ≥ 0. For double: ExactExp(y · ExactLog(x)), but 1 for y = 0, and x for y = 1.
float Pow(float x, float y);
double Pow(double x, double y);

// −Σ q·log q in nats, in the order of the span and in Real, with 0·log 0 = 0.
template <typename Real>
Real EntropyIn(absl::Span<const double> q) {
  Real entropy = 0;
  for (const double value : q) {
    const Real p = static_cast<Real>(value);
    if (p > 0) entropy -= p * Log(p);
  }
  return entropy;
}

// Returns f(Real{}) with the dialect's Real, so that generic code can be written as
//   InArithmetic(dialect.arithmetic, [&](auto zero) { using Real = decltype(zero); … });
template <typename F>
auto InArithmetic(Arithmetic arithmetic, F f) {
  return arithmetic == Arithmetic::kFloat64 ? f(double{}) : f(float{});
}

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_ARITHMETIC_H_
