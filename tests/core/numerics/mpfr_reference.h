#ifndef LOGITCHAIN_TESTS_CORE_NUMERICS_MPFR_REFERENCE_H_
#define LOGITCHAIN_TESTS_CORE_NUMERICS_MPFR_REFERENCE_H_

#include <mpfr.h>

namespace logitchain {

// What MPFR computes, as the judge of our own functions: it rounds correctly at any precision.

// A number of kPrecision bits, to which every operation rounds.
class Mpfr {
 public:
  static constexpr int kPrecision = 400;

  Mpfr(double value);  // NOLINT(google-explicit-constructor): exact, as between built-in types
  Mpfr(const Mpfr& other);
  Mpfr& operator=(const Mpfr& other) = delete;
  ~Mpfr();

  double ToDouble() const;

  friend Mpfr operator-(const Mpfr& a, const Mpfr& b);
  friend Mpfr operator/(const Mpfr& a, const Mpfr& b);
  friend Mpfr Exp(const Mpfr& x);
  friend Mpfr Exp2(const Mpfr& x);
  friend Mpfr Log(const Mpfr& x);
  friend Mpfr Scale(const Mpfr& value, int exponent);
  friend Mpfr RoundToMultiple(const Mpfr& value, int exponent);
  friend double Log2DistanceTo54Bits(const Mpfr& value);

 private:
  Mpfr();

  mpfr_t number_;
};

Mpfr Exp(const Mpfr& x);
Mpfr Exp2(const Mpfr& x);
Mpfr Log(const Mpfr& x);

// value * 2^exponent
Mpfr Scale(const Mpfr& value, int exponent);

// The multiple of 2^exponent that is nearest to value.
Mpfr RoundToMultiple(const Mpfr& value, int exponent);

// log2 of the distance from `value` to the nearest number of 54 bits, which is a double or halfway
// between two; the distance is relative to value's power of two. Below -100 the case is hard.
double Log2DistanceTo54Bits(const Mpfr& value);

// Correctly rounded to double or float, with subnormals.
double MpfrExp(double x);
double MpfrLog(double x);
float MpfrExpf(float x);
float MpfrLogf(float x);
float MpfrLog2f(float x);
float MpfrPowf(float x, float y);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_CORE_NUMERICS_MPFR_REFERENCE_H_
