#include "logitchain/registry/field_checks.h"

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/unknown_field_set.h"
#include "logitchain/core/dialect.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/proto/options.pb.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/registry/interval.h"

namespace logitchain {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using google::protobuf::TextFormat;

// A field of a message, or one element of a repeated field.
struct Element {
  const Message& message;
  const FieldDescriptor* field;
  int index;  // −1 where the field is not repeated.
};

template <typename Single, typename Repeated>
auto Get(const Element& element, Single single, Repeated repeated) {
  const Reflection* reflection = element.message.GetReflection();
  return element.index < 0 ? (reflection->*single)(element.message, element.field)
                           : (reflection->*repeated)(element.message, element.field, element.index);
}

// The value of a number; nothing for fields of other types.
std::optional<double> Number(const Element& element) {
  switch (element.field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return Get(element, &Reflection::GetDouble, &Reflection::GetRepeatedDouble);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return Get(element, &Reflection::GetFloat, &Reflection::GetRepeatedFloat);
    case FieldDescriptor::CPPTYPE_INT32:
      return Get(element, &Reflection::GetInt32, &Reflection::GetRepeatedInt32);
    case FieldDescriptor::CPPTYPE_INT64:
      return Get(element, &Reflection::GetInt64, &Reflection::GetRepeatedInt64);
    case FieldDescriptor::CPPTYPE_UINT32:
      return Get(element, &Reflection::GetUInt32, &Reflection::GetRepeatedUInt32);
    case FieldDescriptor::CPPTYPE_UINT64:
      return Get(element, &Reflection::GetUInt64, &Reflection::GetRepeatedUInt64);
    default:
      return std::nullopt;
  }
}

std::string ValueText(const Element& element) {
  std::string text;
  TextFormat::PrintFieldValueToString(element.message, element.field, element.index, &text);
  return text;
}

bool IsDefault(const Element& element) {
  if (element.index >= 0) return false;
  const std::unique_ptr<Message> empty(element.message.New());
  return ValueText(element) == ValueText({*empty, element.field, -1});
}

// "VLLM", for a field that other dialects have but this one does not; else "".
std::string OtherOwners(const Dialect& dialect, absl::string_view field) {
  if (absl::c_linear_search(dialect.own_fields, field)) return "";
  return absl::StrJoin(OwnersOf(field), " or ", [](std::string* out, ChainConfig::Dialect owner) {
    absl::StrAppend(out, ChainConfig::Dialect_Name(owner));
  });
}

class FieldChecker {
 public:
  FieldChecker(const Dialect& dialect, std::vector<ConfigProblem>& problems)
      : dialect_(dialect), problems_(problems) {}

  void CheckMessage(const Message& message, absl::string_view path) {
    CheckUnknown(message, path);
    std::vector<const FieldDescriptor*> fields;
    message.GetReflection()->ListFields(message, &fields);
    for (const FieldDescriptor* field : fields) {
      const std::string field_path = absl::StrCat(path, ".", field->name());
      if (!field->is_repeated()) {
        CheckElement({message, field, -1}, field_path);
        continue;
      }
      const int size = message.GetReflection()->FieldSize(message, field);
      for (int i = 0; i < size; ++i) {
        CheckElement({message, field, i}, absl::StrCat(field_path, "[", i, "]"));
      }
    }
  }

 private:
  void CheckUnknown(const Message& message, absl::string_view path) {
    const auto& unknown = message.GetReflection()->GetUnknownFields(message);
    if (unknown.empty()) return;
    problems_.push_back(
        {std::string(path), absl::StrCat("has a value in field ", unknown.field(0).number(),
                                         " that this program does not know")});
  }

  void CheckElement(const Element& element, const std::string& path) {
    const std::string owners = OtherOwners(dialect_, element.field->full_name());
    if (!owners.empty() && !IsDefault(element)) {
      return Report(element, path,
                    absl::StrCat("that means something in dialect ", owners, " only"));
    }
    if (element.field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      const Reflection* reflection = element.message.GetReflection();
      CheckMessage(element.index < 0 ? reflection->GetMessage(element.message, element.field)
                                     : reflection->GetRepeatedMessage(element.message,
                                                                      element.field, element.index),
                   path);
    } else if (const std::optional<double> number = Number(element)) {
      CheckNumber(element, *number, path);
    }
  }

  void CheckNumber(const Element& element, double number, const std::string& path) {
    const absl::string_view field = element.field->full_name();
    const absl::string_view range =
        RangeOf(dialect_, field, element.field->options().GetExtension(logitchain::range));
    if (range.empty()) {
      if (!std::isfinite(number)) Report(element, path, "it must be finite");
      return;
    }
    const absl::StatusOr<Interval> interval = ParseInterval(range);
    if (!interval.ok()) {
      problems_.push_back(
          {path, absl::StrCat("has a bad range in its proto: ", interval.status().message())});
    } else if (!interval->Contains(number)) {
      Report(element, path, absl::StrCat("it must be in ", range));
    }
  }

  void Report(const Element& element, const std::string& path, absl::string_view rule) {
    problems_.push_back({path, absl::StrCat("is ", ValueText(element), "; ", rule)});
  }

  const Dialect& dialect_;
  std::vector<ConfigProblem>& problems_;
};

}  // namespace

void CheckFields(const Message& message, const Dialect& dialect, absl::string_view path,
                 std::vector<ConfigProblem>& problems) {
  FieldChecker(dialect, problems).CheckMessage(message, path);
}

}  // namespace logitchain
