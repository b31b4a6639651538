#ifndef LOGITCHAIN_TESTS_CORE_NUMERICS_SAME_VALUE_H_
#define LOGITCHAIN_TESTS_CORE_NUMERICS_SAME_VALUE_H_

#include <cmath>

#include "absl/strings/str_format.h"
#include "gmock/gmock.h"

namespace logitchain {

// Matches a float or double with the same bits, and any NaN if `wanted` is NaN. (== would take 0
// for -0, and no NaN at all.)
MATCHER_P(SameValue, wanted, absl::StrFormat("is %a", wanted)) {
  *result_listener << absl::StrFormat("which is %a", arg);
  if (std::isnan(wanted)) return std::isnan(arg);
  return arg == wanted && std::signbit(arg) == std::signbit(wanted);
}

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_CORE_NUMERICS_SAME_VALUE_H_
