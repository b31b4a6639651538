#include "logitchain/cli/import/rule_fields.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "logitchain/cli/import/source_value.h"

namespace logitchain {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

template <typename Whole>
absl::Status ParseWhole(absl::string_view text, Whole& value) {
  if (absl::SimpleAtoi(text, &value)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("a whole number from ",
                                                 std::numeric_limits<Whole>::min(), " to ",
                                                 std::numeric_limits<Whole>::max()));
}

absl::Status ParseDouble(absl::string_view text, double& value) {
  if (absl::SimpleAtod(text, &value)) return absl::OkStatus();
  return absl::InvalidArgumentError("a number");
}

// Sets the field, or appends to it if it is repeated.
absl::Status SetNumber(const FieldDescriptor& field, absl::string_view text, Message& message) {
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  absl::Status status;
  const auto set = [&](auto value, auto parse, auto setter, auto adder) {
    status = parse(text, value);
    if (!status.ok()) return;
    (reflection.*(field.is_repeated() ? adder : setter))(&message, &field, value);
  };
  using R = google::protobuf::Reflection;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE:
      set(double{}, ParseDouble, &R::SetDouble, &R::AddDouble);
      return status;
    case FieldDescriptor::CPPTYPE_INT32:
      set(int32_t{}, ParseWhole<int32_t>, &R::SetInt32, &R::AddInt32);
      return status;
    case FieldDescriptor::CPPTYPE_INT64:
      set(int64_t{}, ParseWhole<int64_t>, &R::SetInt64, &R::AddInt64);
      return status;
    case FieldDescriptor::CPPTYPE_UINT64:
      set(uint64_t{}, ParseWhole<uint64_t>, &R::SetUInt64, &R::AddUInt64);
      return status;
    default:
      return absl::NotFoundError(absl::StrCat(field.full_name(), " is no number"));
  }
}

// The numbers that element i of a list of lists, or of an object, stands for.
std::vector<std::string> NumbersOf(const SourceValue& value, size_t i) {
  std::vector<std::string> numbers;
  if (value.kind == SourceValue::Kind::kObject) {
    numbers = {value.keys[i], value.elements[i].text};
  } else {
    for (const SourceValue& number : value.elements[i].elements) numbers.push_back(number.text);
  }
  std::replace(numbers.begin(), numbers.end(), std::string("false"), std::string("-inf"));
  return numbers;
}

// Adds a message to a repeated field and sets its first fields.
absl::Status AddMessage(const FieldDescriptor& field, const std::vector<std::string>& numbers,
                        Message& message) {
  Message& added = *message.GetReflection()->AddMessage(&message, &field);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const FieldDescriptor& number = *added.GetDescriptor()->field(static_cast<int>(i));
    if (absl::Status status = SetNumber(number, numbers[i], added); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status SetField(absl::string_view path, const SourceValue& value, Message& message) {
  const std::pair<std::string, std::string> steps = absl::StrSplit(path, absl::MaxSplits('.', 1));
  const FieldDescriptor* field = message.GetDescriptor()->FindFieldByName(steps.first);
  if (field == nullptr) {
    return absl::NotFoundError(
        absl::StrCat(message.GetDescriptor()->full_name(), " has no field ", steps.first));
  }
  if (field->message_type() != nullptr && !field->is_repeated()) {
    return SetField(steps.second, value, *message.GetReflection()->MutableMessage(&message, field));
  }
  if (!field->is_repeated()) return SetNumber(*field, value.text, message);
  for (size_t i = 0; i < value.elements.size(); ++i) {
    const absl::Status status = field->message_type() == nullptr
                                    ? SetNumber(*field, value.elements[i].text, message)
                                    : AddMessage(*field, NumbersOf(value, i), message);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace logitchain
