#ifndef LOGITCHAIN_CORE_SCALING_H_
#define LOGITCHAIN_CORE_SCALING_H_

#include "logitchain/core/dialect.h"

namespace logitchain {

// Division of all logits by one positive number, in a dialect's arithmetic. It never makes a
// smaller logit the larger one, but rounding may make two equal.
struct Scaling {
  Arithmetic arithmetic = Arithmetic::kFloat64;
  double divisor = 1;
  bool by_reciprocal = false;

  // Whether different float32 logits stay different: their quotients in float64 are too far apart
  // to round to one, where they are not subnormal.
  bool keeps_different() const {
    return arithmetic == Arithmetic::kFloat64 && !by_reciprocal && divisor < 1e200;
  }

  double operator()(double logit) const {
    return arithmetic == Arithmetic::kFloat64
               ? Scale(logit, divisor)
               : Scale(static_cast<float>(logit), static_cast<float>(divisor));
  }

 private:
  template <typename Real>
  Real Scale(Real logit, Real by) const {
    return by_reciprocal ? logit * (Real{1} / by) : logit / by;
  }
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_SCALING_H_
