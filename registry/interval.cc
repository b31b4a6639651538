#include "logitchain/registry/interval.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace logitchain {

bool Interval::Contains(double value) const {
  const bool above = includes_low ? value >= low : value > low;
  const bool below = includes_high ? value <= high : value < high;
  return above && below;
}

absl::StatusOr<Interval> ParseInterval(absl::string_view text) {
  const absl::Status error = absl::InvalidArgumentError(
      absl::StrCat("\"", text, "\" is not an interval such as \"(0, 1]\" or \"[0, inf)\""));
  if (text.size() < 2) return error;
  const char open = text.front();
  const char close = text.back();
  if ((open != '(' && open != '[') || (close != ')' && close != ']')) return error;
  const std::pair<absl::string_view, absl::string_view> ends =
      absl::StrSplit(text.substr(1, text.size() - 2), absl::MaxSplits(',', 1));
  Interval interval = {
      .low = 0, .high = 0, .includes_low = open == '[', .includes_high = close == ']'};
  if (!absl::SimpleAtod(ends.first, &interval.low) ||
      !absl::SimpleAtod(ends.second, &interval.high)) {
    return error;
  }
  return interval;
}

}  // namespace logitchain
