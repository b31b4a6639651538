#include "logitchain/grammar/json_schema/decimal.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace logitchain {
namespace {

constexpr int64_t kMaxDigits = 400;

}  // namespace

std::optional<Decimal> ParseDecimal(absl::string_view number) {
  Decimal decimal;
  decimal.negative = absl::ConsumePrefix(&number, "-");
  const size_t exponent_begin = std::min(number.find_first_of("eE"), number.size());
  int64_t exponent = 0;
  absl::string_view exponent_text = number.substr(exponent_begin);
  if (!exponent_text.empty()) {
    exponent_text.remove_prefix(1);
    absl::ConsumePrefix(&exponent_text, "+");
    if (!absl::SimpleAtoi(exponent_text, &exponent)) return std::nullopt;
  }
  const absl::string_view mantissa = number.substr(0, exponent_begin);
  const size_t point = std::min(mantissa.find('.'), mantissa.size());
  std::string digits(mantissa.substr(0, point));
  if (point < mantissa.size()) digits.append(std::string(mantissa.substr(point + 1)));
  if (std::abs(exponent) > kMaxDigits) return std::nullopt;
  // Where the point stands among the digits.
  int64_t place = static_cast<int64_t>(point) + exponent;
  if (place < 0) {
    digits.insert(0, -place, '0');
    place = 0;
  }
  if (place > static_cast<int64_t>(digits.size())) digits.resize(place, '0');
  if (digits.size() > kMaxDigits) return std::nullopt;
  decimal.whole = digits.substr(0, place);
  decimal.fraction = digits.substr(place);
  decimal.whole.erase(0, std::min(decimal.whole.find_first_not_of('0'), decimal.whole.size()));
  decimal.fraction.erase(decimal.fraction.find_last_not_of('0') + 1);  // npos + 1 is 0.
  if (decimal.is_zero()) decimal.negative = false;
  return decimal;
}

}  // namespace logitchain
