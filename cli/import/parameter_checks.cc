#include "logitchain/cli/import/parameter_checks.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/source_value.h"
#include "logitchain/registry/interval.h"

namespace logitchain {
namespace {

using Kind = SourceValue::Kind;

bool IsNumber(const SourceValue& value) {
  double number;
  return value.kind == Kind::kNumber && absl::SimpleAtod(value.text, &number) &&
         std::isfinite(number);
}

bool IsWhole(const SourceValue& value) {
  if (value.kind != Kind::kNumber) return false;
  absl::string_view digits = value.text;
  absl::ConsumePrefix(&digits, "-");
  return !digits.empty() && absl::c_all_of(digits, absl::ascii_isdigit);
}

bool IsString(const SourceValue& value) { return value.kind == Kind::kString; }

bool IsFullString(const SourceValue& value) { return IsString(value) && !value.text.empty(); }

bool IsListOf(const SourceValue& value, bool (*is_right)(const SourceValue&)) {
  return value.kind == Kind::kList && absl::c_all_of(value.elements, is_right);
}

bool IsBias(const SourceValue& value) {
  // JSON has no infinities, but command lines do.
  const bool is_infinite =
      value.kind == Kind::kNumber && (value.text == "-inf" || value.text == "+inf");
  return is_infinite || IsNumber(value) || (value.kind == Kind::kBool && value.text == "false");
}

bool IsPairOfBias(const SourceValue& value) {
  return value.kind == Kind::kList && value.elements.size() == 2 && IsWhole(value.elements[0]) &&
         IsBias(value.elements[1]);
}

bool AreBiases(const SourceValue& value) {
  if (value.kind != Kind::kObject) return IsListOf(value, IsPairOfBias);
  return absl::c_all_of(value.elements, IsBias) &&
         absl::c_all_of(value.keys, [](const std::string& key) {
           return IsWhole({.kind = Kind::kNumber, .text = key});
         });
}

bool IsSequence(const SourceValue& value) {
  return IsListOf(value, IsWhole) && !value.elements.empty();
}

bool IsBiasedSequence(const SourceValue& value) {
  return value.kind == Kind::kList && value.elements.size() == 2 && IsSequence(value.elements[0]) &&
         IsNumber(value.elements[1]);
}

bool IsEmpty(const SourceValue& value) {
  switch (value.kind) {
    case Kind::kNull:
      return true;
    case Kind::kBool:
      return value.text == "false";
    case Kind::kString:
      return value.text.empty();
    case Kind::kList:
    case Kind::kObject:
      return value.elements.empty();
    case Kind::kNumber:
      return false;
  }
  return false;
}

bool IsIn(absl::string_view interval_text, const SourceValue& value) {
  const absl::StatusOr<Interval> interval = ParseInterval(interval_text);
  double number;
  return interval.ok() && absl::SimpleAtod(value.text, &number) && interval->Contains(number);
}

// "1 or less" for "(-inf, 1]".
std::string InWords(const Interval& interval) {
  if (interval.low == interval.high) return absl::StrCat(interval.low);
  if (std::isinf(interval.low)) {
    return interval.includes_high ? absl::StrCat(interval.high, " or less")
                                  : absl::StrCat("less than ", interval.high);
  }
  if (std::isinf(interval.high)) {
    return interval.includes_low ? absl::StrCat(interval.low, " or more")
                                 : absl::StrCat("more than ", interval.low);
  }
  return absl::StrCat(interval.low, " to ", interval.high);
}

// "0, 1 or 2"
std::string Alternatives(std::vector<std::string> values) {
  if (values.size() < 2) return absl::StrJoin(values, "");
  const std::string last = std::move(values.back());
  values.pop_back();
  return absl::StrCat(absl::StrJoin(values, ", "), " or ", last);
}

}  // namespace

absl::string_view TypeMismatch(const ParameterRow& row, const SourceParameter& parameter) {
  const SourceValue& value = parameter.value;
  switch (row.kind) {
    case ValueKind::kNumber:
      return IsNumber(value) ? "" : "a finite number";
    case ValueKind::kWhole:
      return IsWhole(value) ? "" : "a whole number";
    case ValueKind::kSwitch:
      return value.kind == Kind::kBool ? "" : "true or false";
    case ValueKind::kText:
      return IsString(value) ? "" : "a string";
    case ValueKind::kIds:
      return IsListOf(value, IsWhole) ? "" : "a list of token ids";
    case ValueKind::kIdOrIds:
      return IsWhole(value) || IsListOf(value, IsWhole) ? "" : "a token id or a list of them";
    case ValueKind::kSequences:
      return IsListOf(value, IsSequence) ? "" : "lists of token ids, as [[5, 6], [7]]";
    case ValueKind::kBiasedSequences:
      return IsListOf(value, IsBiasedSequence) ? ""
                                               : "lists of token ids with numbers, as [[[5, 6], "
                                                 "-1.5]]";
    case ValueKind::kPair:
      return IsListOf(value, IsNumber) && value.elements.size() == 2 ? "" : "a list of two numbers";
    case ValueKind::kTexts:
      return IsListOf(value, IsString) ? "" : "a list of strings";
    case ValueKind::kTextOrTexts:
      return IsString(value) || IsListOf(value, IsFullString)
                 ? ""
                 : "a string or a list of strings, none of which is empty";
    case ValueKind::kSwitchOrWhole:
      return value.kind == Kind::kBool || IsWhole(value) ? "" : "true, false or a whole number";
    case ValueKind::kBiases:
      if (AreBiases(value)) return "";
      return parameter.spelling ? "a token id with a signed number, as 15043+1 or 15043-inf"
                                : "token ids with numbers, as {\"50256\": -1.5}";
    case ValueKind::kSamplers:
      return IsString(value) || IsListOf(value, IsString) ? "" : "a list of samplers";
    case ValueKind::kJson:
    case ValueKind::kAny:
      return "";
  }
  return "";
}

bool DoesNothing(const ParameterRow& row, const SourceValue& value) {
  if (IsEmpty(value) && !row.empty_counts) return true;
  if (row.neutral.empty()) return false;
  if (value.kind == Kind::kNumber) return IsIn(row.neutral, value);
  return absl::c_linear_search(
      std::vector<absl::string_view>(absl::StrSplit(row.neutral, ' ', absl::SkipEmpty())),
      CompactText(value));
}

bool IsInRange(const ParameterRow& row, const SourceValue& value) {
  return row.range.empty() || IsIn(row.range, value);
}

bool IsRefused(const ParameterRow& row, const SourceValue& value) {
  return absl::c_any_of(absl::StrSplit(row.refused, ' ', absl::SkipEmpty()),
                        [&value](absl::string_view interval) { return IsIn(interval, value); });
}

std::string SupportedValues(const ParameterRow& row, const ImportTable& table) {
  std::vector<std::string> values;
  if (const absl::StatusOr<Interval> interval = ParseInterval(row.neutral); interval.ok()) {
    values.push_back(InWords(*interval));
  } else {
    values = absl::StrSplit(row.neutral, ' ', absl::SkipEmpty());
  }
  for (const TerminalRow& terminal : table.terminals) {
    if (terminal.key == row.key) values.emplace_back(terminal.value);
  }
  return Alternatives(std::move(values));
}

}  // namespace logitchain
