#include "logitchain/testing/conformance/parameters.h"

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "logitchain/core/dialect.h"
#include "logitchain/proto/options.pb.h"
#include "logitchain/registry/interval.h"
#include "logitchain/testing/conformance/steps.h"

namespace logitchain {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using google::protobuf::TextFormat;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What a type of number can hold, and how the next one is found and written.
class NumberType {
 public:
  // Nothing for fields of other types.
  static std::optional<NumberType> Of(const FieldDescriptor& field) {
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_DOUBLE:
      case FieldDescriptor::CPPTYPE_FLOAT:
        return NumberType(field.cpp_type(), -kInfinity, kInfinity);
      case FieldDescriptor::CPPTYPE_INT32:
        return NumberType(field.cpp_type(), -0x1p31, 0x1p31 - 1);
      case FieldDescriptor::CPPTYPE_UINT32:
        return NumberType(field.cpp_type(), 0, 0x1p32 - 1);
      // Of 64 bits those that a double holds.
      case FieldDescriptor::CPPTYPE_INT64:
        return NumberType(field.cpp_type(), -0x1p53, 0x1p53);
      case FieldDescriptor::CPPTYPE_UINT64:
        return NumberType(field.cpp_type(), 0, 0x1p53);
      default:
        return std::nullopt;
    }
  }

  bool is_integer() const {
    return type_ != FieldDescriptor::CPPTYPE_DOUBLE && type_ != FieldDescriptor::CPPTYPE_FLOAT;
  }
  double lowest() const { return lowest_; }
  double highest() const { return highest_; }

  // The nearest numbers of this type to `value` in this direction, `value` itself left out.
  double Below(double value) const {
    if (is_integer()) return std::ceil(value) - 1;
    return type_ == FieldDescriptor::CPPTYPE_DOUBLE
               ? std::nextafter(value, -kInfinity)
               : std::nextafter(static_cast<float>(value), -std::numeric_limits<float>::infinity());
  }
  double Above(double value) const { return -Below(-value); }

  std::string Text(double value) const {
    if (is_integer()) return absl::StrFormat("%.0f", value);
    return absl::StrFormat("%.17g", value);
  }

 private:
  NumberType(FieldDescriptor::CppType type, double lowest, double highest)
      : type_(type), lowest_(lowest), highest_(highest) {}

  FieldDescriptor::CppType type_;
  double lowest_;
  double highest_;
};

// The parameter's range, cut to what its type holds.
Interval RangeOfParameter(const FieldDescriptor& field, const Dialect& dialect,
                          const NumberType& type) {
  const absl::string_view text =
      RangeOf(dialect, field.full_name(), field.options().GetExtension(logitchain::range));
  const bool is_integer = type.is_integer();
  // CheckOptions reports a text that is no interval.
  Interval range =
      ParseInterval(text).value_or(Interval{type.lowest(), type.highest(), is_integer, is_integer});
  if (is_integer && range.low < type.lowest()) {
    range.low = type.lowest();
    range.includes_low = true;
  }
  if (is_integer && range.high > type.highest()) {
    range.high = type.highest();
    range.includes_high = true;
  }
  return range;
}

// Calls `visit` with each message within this one, and with itself.
template <typename Visit>
void VisitMessages(Message& message, const std::string& path, Visit visit) {
  visit(message, path);
  std::vector<const FieldDescriptor*> fields;
  const Reflection& reflection = *message.GetReflection();
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const std::string field_path = absl::StrCat(path, ".", field->name());
    if (!field->is_repeated()) {
      VisitMessages(*reflection.MutableMessage(&message, field), field_path, visit);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      VisitMessages(*reflection.MutableRepeatedMessage(&message, field, i),
                    absl::StrCat(field_path, "[", i, "]"), visit);
    }
  }
}

absl::Status CheckValue(const FieldDescriptor& field, const Interval& range, absl::string_view what,
                        const std::string& text) {
  double value;
  if (!absl::SimpleAtod(text, &value)) {
    return Failure(absl::StrCat(field.full_name(), ": ", what, " ", text, " is no number"));
  }
  if (range.Contains(value)) return absl::OkStatus();
  return Failure(absl::StrCat(field.full_name(), ": ", what, " ", text, " is outside its range ",
                              field.options().GetExtension(logitchain::range)));
}

// The lowest and the highest value of this type in the range.
double Lowest(const Interval& range, const NumberType& type) {
  const double value = range.includes_low ? range.low : type.Above(range.low);
  return type.is_integer() ? std::ceil(value) : value;
}

double Highest(const Interval& range, const NumberType& type) {
  const double value = range.includes_high ? range.high : type.Below(range.high);
  return type.is_integer() ? std::floor(value) : value;
}

bool IsSet(const Parameter& parameter) {
  const Reflection& reflection = *parameter.message->GetReflection();
  return parameter.field->is_repeated()
             ? reflection.FieldSize(*parameter.message, parameter.field) > 0
             : reflection.HasField(*parameter.message, parameter.field);
}

// Whether a field that is not set is 0, and says nothing else.
bool IsZeroIfUnset(const FieldDescriptor& field) {
  return field.is_optional() && field.containing_oneof() == nullptr && !field.has_default_value() &&
         !field.options().HasExtension(logitchain::unset);
}

absl::Status CheckFieldOptions(const FieldDescriptor& field) {
  const std::string& text = field.options().GetExtension(logitchain::range);
  if (text.empty()) return absl::OkStatus();
  const std::optional<NumberType> type = NumberType::Of(field);
  if (!type) return Failure(absl::StrCat(field.full_name(), " has a range and is no number"));
  const absl::StatusOr<Interval> range = ParseInterval(text);
  if (!range.ok()) {
    return Failure(absl::StrCat(field.full_name(), ": range ", range.status().message()));
  }
  if (Lowest(*range, *type) > Highest(*range, *type)) {
    return Failure(absl::StrCat(field.full_name(), ": range ", text, " is empty"));
  }
  if (IsZeroIfUnset(field) && !range->Contains(0)) {
    return Failure(absl::StrCat(field.full_name(), ": unset it is 0, which is outside its range ",
                                text, "; it needs a default, or the option (unset)"));
  }
  absl::Status status;
  if (field.has_default_value()) {
    const std::unique_ptr<Message> empty(google::protobuf::MessageFactory::generated_factory()
                                             ->GetPrototype(field.containing_type())
                                             ->New());
    std::string value;
    TextFormat::PrintFieldValueToString(*empty, &field, -1, &value);
    status.Update(CheckValue(field, *range, "the default", value));
  }
  if (field.options().HasExtension(logitchain::off)) {
    status.Update(
        CheckValue(field, *range, "the off value", field.options().GetExtension(logitchain::off)));
  }
  return status;
}

absl::Status CheckAllOptions(const Descriptor& config,
                             absl::flat_hash_set<const Descriptor*>& seen) {
  if (!seen.insert(&config).second) return absl::OkStatus();
  for (int i = 0; i < config.field_count(); ++i) {
    const FieldDescriptor& field = *config.field(i);
    absl::Status status = CheckFieldOptions(field);
    if (field.message_type() != nullptr) {
      status.Update(CheckAllOptions(*field.message_type(), seen));
    }
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<Parameter> ParametersOf(Message& config, const std::string& path) {
  std::vector<Parameter> parameters;
  VisitMessages(config, path, [&](Message& message, const std::string& message_path) {
    const Descriptor& descriptor = *message.GetDescriptor();
    for (int i = 0; i < descriptor.field_count(); ++i) {
      const FieldDescriptor* field = descriptor.field(i);
      if (!NumberType::Of(*field)) continue;
      parameters.push_back({&message, field, absl::StrCat(message_path, ".", field->name())});
    }
  });
  return parameters;
}

std::string SetParameter(const Parameter& parameter, const std::string& value) {
  std::string path = parameter.path;
  if (parameter.field->is_repeated()) {
    absl::StrAppend(
        &path, "[",
        parameter.message->GetReflection()->FieldSize(*parameter.message, parameter.field), "]");
  }
  TextFormat::ParseFieldValueFromString(value, parameter.field, parameter.message);
  return path;
}

std::vector<std::string> ValuesOutside(const Parameter& parameter, const Dialect& dialect) {
  const NumberType type = *NumberType::Of(*parameter.field);
  const Interval range = RangeOfParameter(*parameter.field, dialect, type);
  std::vector<std::string> values;
  if (!type.is_integer()) values.push_back("nan");
  for (const double value :
       {range.includes_low ? type.Below(range.low) : range.low,
        range.includes_high ? type.Above(range.high) : range.high, -kInfinity, kInfinity}) {
    const bool is_of_type = value >= type.lowest() && value <= type.highest();
    if (is_of_type && !range.Contains(value)) values.push_back(type.Text(value));
  }
  return values;
}

std::vector<std::string> ValuesAtTheEnds(const Parameter& parameter, const Dialect& dialect) {
  const NumberType type = *NumberType::Of(*parameter.field);
  const Interval range = RangeOfParameter(*parameter.field, dialect, type);
  return {type.Text(Lowest(range, type)), type.Text(Highest(range, type))};
}

std::vector<std::string> IncludedEnds(const Parameter& parameter, const Dialect& dialect) {
  const FieldDescriptor& field = *parameter.field;
  // A field that is not set may not go with those that are.
  if (!IsSet(parameter)) return {};
  const absl::StatusOr<Interval> range = ParseInterval(
      RangeOf(dialect, field.full_name(), field.options().GetExtension(logitchain::range)));
  if (!range.ok()) return {};  // None is stated, or CheckOptions reports it.
  const NumberType type = *NumberType::Of(field);
  std::vector<std::string> ends;
  if (range->includes_low) ends.push_back(type.Text(range->low));
  if (range->includes_high) ends.push_back(type.Text(range->high));
  return ends;
}

absl::StatusOr<bool> SetOff(const Dialect& dialect, Message& config) {
  bool found = false;
  bool is_allowed = true;
  absl::Status status;
  VisitMessages(config, "", [&](Message& message, const std::string&) {
    const Descriptor& descriptor = *message.GetDescriptor();
    for (int i = 0; i < descriptor.field_count(); ++i) {
      const FieldDescriptor& field = *descriptor.field(i);
      if (!field.options().HasExtension(logitchain::off)) continue;
      const std::string& off = field.options().GetExtension(logitchain::off);
      found = true;
      double value = 0;
      if (absl::SimpleAtod(off, &value) && NumberType::Of(field)) {
        is_allowed &= RangeOfParameter(field, dialect, *NumberType::Of(field)).Contains(value);
      }
      if (TextFormat::ParseFieldValueFromString(off, &field, &message)) continue;
      status.Update(Failure(absl::StrCat(field.full_name(), " cannot be ", off)));
    }
  });
  if (!status.ok()) return status;
  return found && is_allowed;
}

absl::Status CheckOptions(const Descriptor& config) {
  absl::flat_hash_set<const Descriptor*> seen;
  return CheckAllOptions(config, seen);
}

}  // namespace logitchain
