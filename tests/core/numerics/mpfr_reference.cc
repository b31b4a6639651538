#include "logitchain/tests/core/numerics/mpfr_reference.h"

#include <mpfr.h>

namespace logitchain {
namespace {

// A binary format in MPFR's terms, where significands are in [1/2, 1).
struct Format {
  int precision;
  int smallest_exponent;
  int largest_exponent;
};

constexpr Format kDouble = {53, -1073, 1024};
constexpr Format kFloat = {24, -148, 128};

// function(x, y) correctly rounded to a format; `function` takes MPFR's result, x, y and rounding.
template <typename Function>
double Rounded(const Format& format, Function function, double x, double y = 0) {
  const mpfr_exp_t old_emin = mpfr_get_emin();
  const mpfr_exp_t old_emax = mpfr_get_emax();
  mpfr_t result;
  mpfr_t first;
  mpfr_t second;
  mpfr_init2(result, format.precision);
  mpfr_inits2(kDouble.precision, first, second, nullptr);
  mpfr_set_d(first, x, MPFR_RNDN);
  mpfr_set_d(second, y, MPFR_RNDN);
  mpfr_set_emin(format.smallest_exponent);
  mpfr_set_emax(format.largest_exponent);
  const int ternary = function(result, first, second, MPFR_RNDN);
  mpfr_subnormalize(result, ternary, MPFR_RNDN);
  mpfr_set_emin(old_emin);
  mpfr_set_emax(old_emax);
  const double rounded = mpfr_get_d(result, MPFR_RNDN);
  mpfr_clears(result, first, second, nullptr);
  return rounded;
}

template <int (*kFunction)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>
int OfFirst(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr, mpfr_rnd_t rounding) {
  return kFunction(result, x, rounding);
}

}  // namespace

Mpfr::Mpfr() { mpfr_init2(number_, kPrecision); }

Mpfr::Mpfr(double value) : Mpfr() { mpfr_set_d(number_, value, MPFR_RNDN); }

Mpfr::Mpfr(const Mpfr& other) : Mpfr() { mpfr_set(number_, other.number_, MPFR_RNDN); }

Mpfr::~Mpfr() { mpfr_clear(number_); }

double Mpfr::ToDouble() const { return mpfr_get_d(number_, MPFR_RNDN); }

Mpfr operator-(const Mpfr& a, const Mpfr& b) {
  Mpfr result;
  mpfr_sub(result.number_, a.number_, b.number_, MPFR_RNDN);
  return result;
}

Mpfr operator/(const Mpfr& a, const Mpfr& b) {
  Mpfr result;
  mpfr_div(result.number_, a.number_, b.number_, MPFR_RNDN);
  return result;
}

Mpfr Exp(const Mpfr& x) {
  Mpfr result;
  mpfr_exp(result.number_, x.number_, MPFR_RNDN);
  return result;
}

Mpfr Exp2(const Mpfr& x) {
  Mpfr result;
  mpfr_exp2(result.number_, x.number_, MPFR_RNDN);
  return result;
}

Mpfr Log(const Mpfr& x) {
  Mpfr result;
  mpfr_log(result.number_, x.number_, MPFR_RNDN);
  return result;
}

Mpfr Scale(const Mpfr& value, int exponent) {
  Mpfr result;
  mpfr_mul_2si(result.number_, value.number_, exponent, MPFR_RNDN);
  return result;
}

Mpfr RoundToMultiple(const Mpfr& value, int exponent) {
  Mpfr result = Scale(value, -exponent);
  mpfr_roundeven(result.number_, result.number_);
  return Scale(result, exponent);
}

double Log2DistanceTo54Bits(const Mpfr& value) {
  mpfr_t nearest;
  mpfr_init2(nearest, 54);
  mpfr_set(nearest, value.number_, MPFR_RNDN);
  Mpfr distance;
  mpfr_sub(distance.number_, value.number_, nearest, MPFR_RNDN);
  mpfr_clear(nearest);
  mpfr_abs(distance.number_, distance.number_, MPFR_RNDN);
  mpfr_log2(distance.number_, distance.number_, MPFR_RNDN);
  return distance.ToDouble() - static_cast<double>(mpfr_get_exp(value.number_) - 1);
}

double MpfrExp(double x) { return Rounded(kDouble, OfFirst<mpfr_exp>, x); }
double MpfrLog(double x) { return Rounded(kDouble, OfFirst<mpfr_log>, x); }

// A result that fits a float is exact in the double that comes back.
float MpfrExpf(float x) { return static_cast<float>(Rounded(kFloat, OfFirst<mpfr_exp>, x)); }
float MpfrLogf(float x) { return static_cast<float>(Rounded(kFloat, OfFirst<mpfr_log>, x)); }
float MpfrLog2f(float x) { return static_cast<float>(Rounded(kFloat, OfFirst<mpfr_log2>, x)); }
float MpfrPowf(float x, float y) { return static_cast<float>(Rounded(kFloat, mpfr_pow, x, y)); }

}  // namespace logitchain
