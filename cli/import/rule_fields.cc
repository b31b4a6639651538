#include "logitchain/cli/import/rule_fields.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
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

absl::Status ParseBool(absl::string_view text, bool& value) {
  value = text == "true";
  return absl::OkStatus();
}

absl::Status ParseString(absl::string_view text, std::string& value) {
  value = std::string(text);
  return absl::OkStatus();
}

// Sets the field, or appends to it if it is repeated.
absl::Status SetScalar(const FieldDescriptor& field, absl::string_view text, Message& message) {
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
    case FieldDescriptor::CPPTYPE_BOOL:
      set(bool{}, ParseBool, &R::SetBool, &R::AddBool);
      return status;
    case FieldDescriptor::CPPTYPE_STRING:
      set(std::string(), ParseString, &R::SetString, &R::AddString);
      return status;
    default:
      return absl::NotFoundError(absl::StrCat(field.full_name(), " takes no scalar"));
  }
}

bool IsList(const SourceValue& value) { return value.kind == SourceValue::Kind::kList; }

// What a list, an object (its keys and values) or a single value has as elements.
std::vector<SourceValue> ElementsOf(const SourceValue& value) {
  if (IsList(value)) return value.elements;
  if (value.kind != SourceValue::Kind::kObject) return {value};
  std::vector<SourceValue> pairs;
  for (size_t i = 0; i < value.elements.size(); ++i) {
    const SourceValue key = {.kind = SourceValue::Kind::kNumber, .text = value.keys[i]};
    pairs.push_back({.kind = SourceValue::Kind::kList, .elements = {key, value.elements[i]}});
  }
  return pairs;
}

// `is_within` says that the value stands in a list or an object.
absl::Status SetValue(const FieldDescriptor& field, const SourceValue& value, bool is_within,
                      Message& message);

// Adds a message to a repeated field and sets its first fields.
absl::Status AddMessage(const FieldDescriptor& field, const SourceValue& value, Message& message) {
  Message& added = *message.GetReflection()->AddMessage(&message, &field);
  const google::protobuf::Descriptor& type = *added.GetDescriptor();
  // A list of numbers is one value if a list is what the first field holds.
  const bool is_one = type.field(0)->is_repeated() && absl::c_none_of(value.elements, IsList);
  if (is_one) return SetValue(*type.field(0), value, /*is_within=*/true, added);
  for (size_t i = 0; i < value.elements.size(); ++i) {
    SourceValue element = value.elements[i];
    if (element.text == "false") element.text = "-inf";
    const absl::Status status =
        SetValue(*type.field(static_cast<int>(i)), element, /*is_within=*/true, added);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status SetValue(const FieldDescriptor& field, const SourceValue& value, bool is_within,
                      Message& message) {
  const std::vector<SourceValue> elements = ElementsOf(value);
  if (!field.is_repeated() && elements.size() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("is ", Shown(value), "; it must be a single one"));
  }
  for (const SourceValue& element : elements) {
    if (field.message_type() != nullptr) {
      if (absl::Status status = AddMessage(field, element, message); !status.ok()) return status;
      continue;
    }
    const absl::Status status = SetScalar(field, element.text, message);
    if (!absl::IsInvalidArgument(status)) {
      if (!status.ok()) return status;
      continue;
    }
    return absl::InvalidArgumentError(absl::StrCat(is_within || IsList(value) ? "has " : "is ",
                                                   Shown(element.text), "; it must be ",
                                                   status.message()));
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
    if (steps.second.empty()) {  // To be there is all that it says.
      message.GetReflection()->MutableMessage(&message, field);
      return absl::OkStatus();
    }
    return SetField(steps.second, value, *message.GetReflection()->MutableMessage(&message, field));
  }
  return SetValue(*field, value, /*is_within=*/false, message);
}

}  // namespace logitchain
