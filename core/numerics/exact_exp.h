#ifndef LOGITCHAIN_CORE_NUMERICS_EXACT_EXP_H_
#define LOGITCHAIN_CORE_NUMERICS_EXACT_EXP_H_

namespace logitchain {

// e^x and the natural logarithm, correctly rounded: the double nearest to the exact result. That
// defines every bit, so results are the same on every machine, with every compiler and at every
// optimisation level; libm's exp and log, right only to about an ulp, promise none of that.
//
// Both go by A. Ziv's strategy ("Fast evaluation of elementary mathematical functions with
// correctly rounded last bit", 1991). A quick stage computes the result to about 67 bits with a
// proven error bound (quick_exp.h, quick_log.h). If the result less and plus that bound rounds to
// the same double, that one is right. Otherwise, once in some ten thousand calls (for log far from
// 1, once in a million), a slow stage with 192 bits decides (slow_exp_log.h). A tie cannot happen:
// but for e^0 and log 1 the exact results are transcendental (Lindemann).
//
// They need the default rounding mode, to nearest with ties to even, and subnormals that are not
// flushed to zero. They raise no floating-point exception that means anything and do not set errno.

// e^x for any x. About 8 ns, and 1 µs where the slow stage decides.
//   NaN → NaN      +∞ → +∞      -∞ → +0      ±0 → 1
//   x >= 0x1.62e42fefa39fp+9  (709.78...)  → +∞
//   x <= -0x1.74910d52d3052p+9 (-745.13...) → +0
// In between, below -708.39..., results are subnormal, and correctly rounded as all others.
double ExactExp(double x);

// The natural logarithm of any x. About 9 ns, and 1 µs where the slow stage decides.
//   NaN → NaN      +∞ → +∞      x < 0, -∞ → NaN      ±0 → -∞      1 → +0
// Subnormal x are fine. Results are 0 or at least 2^-53 in size.
double ExactLog(double x);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_NUMERICS_EXACT_EXP_H_
