#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_NUMBER_TEXTS_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_NUMBER_TEXTS_H_

#include <optional>

#include "logitchain/grammar/json_schema/decimal.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// How JSON numbers with a property may be written. Exponents: the texts of numbers with a property
// are not always regular with them, so they are among them only where this says so. Complements,
// within all numbers, are right for texts without exponents.
class NumberTexts {
 public:
  explicit NumberTexts(RegexArena& arena) : arena_(arena) {}

  // Every number, with or without exponent.
  RegexId Any();
  // Numbers without exponent.
  RegexId Plain();
  // 12, 12.0, 12e3: without exponent, or with one that is not negative behind a whole number.
  RegexId Integers();
  // One number: 12, 12.0, 12.00.
  RegexId Exactly(const Decimal& value);
  // Numbers above a bound; for 0 also those with exponents.
  RegexId Above(const Decimal& bound, bool or_equal);
  // Numbers below a bound; for 0 also those with exponents.
  RegexId Below(const Decimal& bound, bool or_equal);
  // Multiples without exponent. Nullopt if the divisor, which must be positive, has too many
  // digits: its digits make a number above a million, or there are more than 9 behind the point.
  std::optional<RegexId> MultiplesOf(const Decimal& divisor);

 private:
  RegexId Literal(char text);
  RegexId Digits(char first, char last);
  RegexId AnyDigits();   // None or more.
  RegexId SomeDigits();  // One or more.
  RegexId Zeros();       // None or more.
  RegexId Whole();
  RegexId OptionalFraction();
  RegexId OptionalExponent();
  // Numbers without sign that are zero.
  RegexId Zero();
  // Without sign: above, or also equal to, an absolute value.
  RegexId LargerThan(const Decimal& bound, bool or_equal);
  RegexId LongerOrLargerWhole(const Decimal& bound);
  RegexId LargerFraction(const Decimal& bound, bool or_equal);

  RegexArena& arena_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_NUMBER_TEXTS_H_
