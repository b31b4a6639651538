#ifndef LOGITCHAIN_TESTING_CONFORMANCE_PARAMETERS_H_
#define LOGITCHAIN_TESTING_CONFORMANCE_PARAMETERS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "logitchain/core/dialect.h"

namespace logitchain {

// A number in a config, of its own or of a list.
struct Parameter {
  google::protobuf::Message* message;  // That has the field.
  const google::protobuf::FieldDescriptor* field;
  std::string path;  // "sequences[0].ids"
};

// Every number that `config` has or could have, in the messages within it too; `path` is its own.
std::vector<Parameter> ParametersOf(google::protobuf::Message& config, const std::string& path);

// Sets the number, or appends it to the list; returns its path. `value` is as in textproto.
std::string SetParameter(const Parameter& parameter, const std::string& value);

// Values just outside the parameter's range, and those just within; as in textproto.
std::vector<std::string> ValuesOutside(const Parameter& parameter, const Dialect& dialect);
std::vector<std::string> ValuesAtTheEnds(const Parameter& parameter, const Dialect& dialect);

// The ends that the parameter's range states and includes; none of a parameter that is not set.
std::vector<std::string> IncludedEnds(const Parameter& parameter, const Dialect& dialect);

// Sets every parameter that has an `off` to it. False if there is none, or if the dialect does not
// take one of them.
absl::StatusOr<bool> SetOff(const Dialect& dialect, google::protobuf::Message& config);

// What is wrong with the field options of a message and of those within it: a range that is none,
// that is empty or of no number; a default, an `off`, or the 0 of an unset field outside the range.
absl::Status CheckOptions(const google::protobuf::Descriptor& config);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTING_CONFORMANCE_PARAMETERS_H_
