#ifndef LOGITCHAIN_CORE_NUMERICS_FLOAT_EXP_H_
#define LOGITCHAIN_CORE_NUMERICS_FLOAT_EXP_H_

namespace logitchain {

// The float32 functions of the dialects, to the bit on every machine. This machine's libm would not
// do: another version, or a CPU with FMA, rounds some results differently.
//
// All need the default rounding mode. None sets errno.

// e^x exactly as glibc 2.36's expf computes it on a CPU without FMA (dialect MINFER). About 3 ns.
//
// The method is Szabolcs Nagy's, of Arm's optimized-routines, which glibc took over in 2.27: in
// double, x * 32 / ln 2 = n + r with n the nearest integer, 2^(n/32) by table, 2^(r/32) by a cubic
// polynomial, their product rounded once to float. It is off by at most 0.502 ulp: 170,646 of all
// floats do not get the nearest result, and that is part of the definition. All 2^32 floats have
// been compared with Debian 12's expf: no difference. On a CPU with FMA, glibc takes another
// variant, which differs from this one in two floats, 0x1.04845ep5 and -0x1.f8cbb2p5.
//   NaN → NaN      +∞ → +∞      -∞ → +0      ±0 → 1
//   x > 0x1.62e42ep6 (88.72...) → +∞      x < -0x1.9fe368p6 (-103.97...) → +0
float GlibcExpf(float x);

// The functions of dialect LLAMA_CPP: computed in double, rounded once to float. Special values are
// those of C's expf, logf, log2f and powf.

// ExactExp(x) rounded to float. That is e^x correctly rounded, which has been checked for all
// floats. About 9 ns.
float RoundedExpf(float x);

// ExactLog(x) rounded to float. That is log(x) correctly rounded for all floats but five (the test
// has them), where rounding twice makes a difference; the dialect's definition is to round twice.
// About 10 ns.
float RoundedLogf(float x);

// log2(x) correctly rounded, which has been checked for all floats. About 13 ns.
float RoundedLog2f(float x);

// x^y to double with an error below 2^-58 relative to x^y, rounded to float. The double is the one
// that is nearest to x^y unless x^y is within that error of a halfway point; in particular it is
// x^y where that is a double, so that roots and ties come out right. About 30 ns.
//
// All pairs work as C's powf demands (ISO C Annex F):
//   y = ±0 or x = 1 → 1, even with NaN; otherwise NaN with a NaN
//   x < 0 and finite, y finite and not an integer → NaN; for odd y the sign is x's, else +
//   |x| = 0 or ∞ with y < 0 → ∞ or 0; with y > 0 → 0 or ∞
//   y = ±∞ → 0 or ∞ as |x| is on one side of 1 or the other, 1 for x = -1
float RoundedPowf(float x, float y);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_NUMERICS_FLOAT_EXP_H_
