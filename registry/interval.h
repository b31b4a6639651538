#ifndef LOGITCHAIN_REGISTRY_INTERVAL_H_
#define LOGITCHAIN_REGISTRY_INTERVAL_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace logitchain {

// An interval of real numbers. Neither NaN nor an infinity is ever in it.
struct Interval {
  double low;
  double high;
  bool includes_low;
  bool includes_high;

  bool Contains(double value) const;
};

// Parses the usual notation: "(0, 1]", "[0, inf)", "(-inf, inf)".
absl::StatusOr<Interval> ParseInterval(absl::string_view text);

}  // namespace logitchain

#endif  // LOGITCHAIN_REGISTRY_INTERVAL_H_
