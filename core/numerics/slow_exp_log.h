#ifndef LOGITCHAIN_CORE_NUMERICS_SLOW_EXP_LOG_H_
#define LOGITCHAIN_CORE_NUMERICS_SLOW_EXP_LOG_H_

namespace logitchain::internal {

// The last stage of ExactExp and ExactLog: it decides every rounding, in about a microsecond.
//
// e^x is computed in fixed point with a relative error below 2^-180. How near e^x can come to a
// number of 54 bits (a double, or halfway between two) is known from the exhaustive search of V.
// Lefèvre and J.-M. Muller, "Worst Cases for Correct Rounding of the Elementary Functions in Double
// Precision" (2001): never nearer than 2^-113 of it for |x| >= 2^-30, and than 2^-158 for smaller
// x.

// e^x correctly rounded. Needs 2^-60 <= |x| < 746 and a finite result.
double SlowExp(double x);

// log(x) correctly rounded, for positive finite x other than 1. Needs `nearest`, which is log(x)
// correctly rounded or a neighbour of that, and where log(x) lies from there: above `nearest` or
// below. The answer is `nearest` or its neighbour on that side, whichever side of their middle
// log(x) is on; and because exp increases, that is the side of exp(middle) that x is on. Log(x) is
// never nearer to a middle than 2^-118 of it (Lefèvre and Muller), which makes 2^-171 for the
// smallest log(x): so far at least are x and exp(middle) apart, relative to x.
double SlowLog(double x, double nearest, bool above);

}  // namespace logitchain::internal

#endif  // LOGITCHAIN_CORE_NUMERICS_SLOW_EXP_LOG_H_
