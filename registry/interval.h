#ifndef LOGITCHAIN_REGISTRY_INTERVAL_H_
#define LOGITCHAIN_REGISTRY_INTERVAL_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace logitchain {

// An interval of real numbers. An infinity is in it only as an end that belongs to it, NaN never.
struct Interval {
  double low;
  double high;
  bool includes_low;
  bool includes_high;

  bool Contains(double value) const;
};

// Parses the usual notation: "(0, 1]", "[0, inf)", "(-inf, inf)", and "[-inf, inf)" with −∞.
absl::StatusOr<Interval> ParseInterval(absl::string_view text);

}  // namespace logitchain

#endif  // LOGITCHAIN_REGISTRY_INTERVAL_H_
