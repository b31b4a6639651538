#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "logitchain/core/numerics/double_double.h"
#include "logitchain/core/numerics/exact_exp.h"
#include "logitchain/core/numerics/quick_log.h"
#include "logitchain/core/numerics/slow_exp_log.h"

namespace logitchain {
namespace {

using internal::BoundedLog;
using internal::DoubleDouble;
using internal::FastTwoSum;
using internal::QuickLog;
using internal::SlowLog;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kSmallestNormal = std::numeric_limits<double>::min();

double Round(double x, const BoundedLog& log) {
  const double lower = log.high + (log.low - log.error);
  const double upper = log.high + (log.low + log.error);
  if (lower != upper) [[unlikely]] {
    const DoubleDouble sum = FastTwoSum(log.high, log.low);
    return SlowLog(x, sum.high, sum.low > 0);
  }
  return lower;
}

// log(x) for x that are not normal, positive and finite.
double LogAtTheEdges(double x) {
  if (x == 0) return -kInfinity;
  if (std::isnan(x)) return x + x;  // quiet
  if (x < 0) return kNan;
  if (x == kInfinity) return x;
  return Round(x, QuickLog(x * 0x1p54, -54));  // subnormal
}

}  // namespace

double ExactLog(double x) {
  if (!(x >= kSmallestNormal && x < kInfinity)) [[unlikely]] {
    return LogAtTheEdges(x);
  }
  return Round(x, QuickLog(x));
}

}  // namespace logitchain
