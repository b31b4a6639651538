#include "logitchain/grammar/json_schema/number_texts.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/json_schema/decimal.h"
#include "logitchain/grammar/regex/byte_set.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

RegexId NumberTexts::Literal(char text) {
  return arena_.Bytes(ByteSet::Of(static_cast<uint8_t>(text)));
}

RegexId NumberTexts::Digits(char first, char last) {
  return arena_.Bytes(ByteSet::Range(static_cast<uint8_t>(first), static_cast<uint8_t>(last)));
}

RegexId NumberTexts::AnyDigits() { return arena_.Repeat(Digits('0', '9'), 0, kUnbounded); }

RegexId NumberTexts::SomeDigits() { return arena_.Repeat(Digits('0', '9'), 1, kUnbounded); }

RegexId NumberTexts::Zeros() { return arena_.Repeat(Literal('0'), 0, kUnbounded); }

RegexId NumberTexts::Whole() {
  return arena_.Either(Literal('0'), arena_.Concat(Digits('1', '9'), AnyDigits()));
}

RegexId NumberTexts::OptionalFraction() {
  return arena_.Optional(arena_.Concat(Literal('.'), SomeDigits()));
}

RegexId NumberTexts::OptionalExponent() {
  const RegexId sign = arena_.Either(Literal('+'), Literal('-'));
  return arena_.Optional(arena_.Concat(
      {arena_.Either(Literal('e'), Literal('E')), arena_.Optional(sign), SomeDigits()}));
}

RegexId NumberTexts::Plain() {
  return arena_.Concat({arena_.Optional(Literal('-')), Whole(), OptionalFraction()});
}

RegexId NumberTexts::Any() { return arena_.Concat(Plain(), OptionalExponent()); }

RegexId NumberTexts::Integers() {
  const RegexId zero_fraction =
      arena_.Concat(Literal('.'), arena_.Repeat(Literal('0'), 1, kUnbounded));
  const RegexId exponent = arena_.Concat(
      {arena_.Either(Literal('e'), Literal('E')), arena_.Optional(Literal('+')), SomeDigits()});
  return arena_.Concat({arena_.Optional(Literal('-')), Whole(), arena_.Optional(zero_fraction),
                        arena_.Optional(exponent)});
}

RegexId NumberTexts::Exactly(const Decimal& value) {
  const RegexId sign = value.negative    ? Literal('-')
                       : value.is_zero() ? arena_.Optional(Literal('-'))
                                         : RegexArena::kEmptyString;
  const RegexId whole = value.whole.empty() ? Literal('0') : arena_.Literal(value.whole);
  const RegexId fraction =
      value.is_integer()
          ? arena_.Optional(arena_.Concat(Literal('.'), arena_.Repeat(Literal('0'), 1, kUnbounded)))
          : arena_.Concat({Literal('.'), arena_.Literal(value.fraction), Zeros()});
  return arena_.Concat({sign, whole, fraction});
}

RegexId NumberTexts::Zero() {
  const RegexId fraction = arena_.Concat(Literal('.'), arena_.Repeat(Literal('0'), 1, kUnbounded));
  return arena_.Concat({Literal('0'), arena_.Optional(fraction), OptionalExponent()});
}

RegexId NumberTexts::Above(const Decimal& bound, bool or_equal) {
  const RegexId minus = Literal('-');
  if (bound.is_zero()) {
    const RegexId any = arena_.Concat({Whole(), OptionalFraction(), OptionalExponent()});
    if (or_equal) return arena_.Either(any, arena_.Concat(minus, Zero()));
    return arena_.Both(any, arena_.Not(Zero()));
  }
  if (!bound.negative) return LargerThan(bound, or_equal);
  const RegexId unsigned_plain = arena_.Concat(Whole(), OptionalFraction());
  const RegexId smaller = arena_.Both(unsigned_plain, arena_.Not(LargerThan(bound, !or_equal)));
  return arena_.Either(unsigned_plain, arena_.Concat(minus, smaller));
}

RegexId NumberTexts::Below(const Decimal& bound, bool or_equal) {
  const RegexId all = bound.is_zero() ? Any() : Plain();
  return arena_.Both(all, arena_.Not(Above(bound, !or_equal)));
}

RegexId NumberTexts::LargerThan(const Decimal& bound, bool or_equal) {
  const RegexId same_whole = bound.whole.empty() ? Literal('0') : arena_.Literal(bound.whole);
  return arena_.Either(arena_.Concat(LongerOrLargerWhole(bound), OptionalFraction()),
                       arena_.Concat(same_whole, LargerFraction(bound, or_equal)));
}

RegexId NumberTexts::LongerOrLargerWhole(const Decimal& bound) {
  const std::string digits = bound.whole.empty() ? "0" : bound.whole;
  const auto count = static_cast<int32_t>(digits.size());
  const RegexId any_digit = Digits('0', '9');
  std::vector<RegexId> larger = {
      arena_.Concat(Digits('1', '9'), arena_.Repeat(any_digit, count, kUnbounded))};
  for (int32_t i = 0; i < count; ++i) {
    if (digits[i] == '9') continue;
    larger.push_back(arena_.Concat({arena_.Literal(absl::string_view(digits).substr(0, i)),
                                    Digits(static_cast<char>(digits[i] + 1), '9'),
                                    arena_.Repeat(any_digit, count - i - 1, count - i - 1)}));
  }
  return arena_.Either(larger);
}

RegexId NumberTexts::LargerFraction(const Decimal& bound, bool or_equal) {
  const absl::string_view digits = bound.fraction;
  // With more behind the same digits.
  std::vector<RegexId> larger = {
      arena_.Concat({arena_.Literal(digits), Zeros(), Digits('1', '9'), AnyDigits()})};
  for (size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] == '9') continue;
    larger.push_back(arena_.Concat({arena_.Literal(digits.substr(0, i)),
                                    Digits(static_cast<char>(digits[i] + 1), '9'), AnyDigits()}));
  }
  if (or_equal) {
    larger.push_back(digits.empty() ? arena_.Repeat(Literal('0'), 1, kUnbounded)
                                    : arena_.Concat(arena_.Literal(digits), Zeros()));
  }
  const RegexId fraction = arena_.Concat(Literal('.'), arena_.Either(larger));
  return or_equal && digits.empty() ? arena_.Optional(fraction) : fraction;
}

std::optional<RegexId> NumberTexts::MultiplesOf(const Decimal& divisor) {
  int32_t modulus = 0;
  if (!absl::SimpleAtoi(absl::StrCat(divisor.whole, divisor.fraction), &modulus) ||
      modulus > RegexArena::kMaxModulus || divisor.fraction.size() > RegexArena::kMaxPlaces) {
    return std::nullopt;
  }
  const RegexId multiples =
      arena_.DecimalMultiples(modulus, static_cast<int32_t>(divisor.fraction.size()));
  return arena_.Both(Plain(), arena_.Concat(arena_.Optional(Literal('-')), multiples));
}

}  // namespace logitchain
