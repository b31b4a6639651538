#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_DECIMAL_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_DECIMAL_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace logitchain {

// A number written out in decimal, to the last digit: ±whole.fraction.
struct Decimal {
  bool negative = false;  // Not of zero.
  std::string whole;      // Without leading zeros; empty for 0.
  std::string fraction;   // Without trailing zeros.

  bool is_zero() const { return whole.empty() && fraction.empty(); }
  bool is_integer() const { return fraction.empty(); }

  friend bool operator==(const Decimal&, const Decimal&) = default;
};

// Of a number in JSON. Nullopt if it would have more than 400 digits.
std::optional<Decimal> ParseDecimal(absl::string_view number);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_DECIMAL_H_
