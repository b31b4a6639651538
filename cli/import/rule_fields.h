#ifndef LOGITCHAIN_CLI_IMPORT_RULE_FIELDS_H_
#define LOGITCHAIN_CLI_IMPORT_RULE_FIELDS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"
#include "logitchain/cli/import/source_value.h"

namespace logitchain {

// Sets the field of `message` that `path` leads to ("top_k.k"), making the messages on the way. A
// repeated field takes a list, or one value as a list of it; another field takes a list of one. A
// repeated message takes a list of lists, each with the values for the first fields of one message,
// or for the first one alone if that is repeated. An object stands for a list of its keys and
// values, and false for −∞.
// InvalidArgument if the field cannot hold the value, with what is wrong: "is 7; it must be …", or
// of an element of it "has 7; it must be …". NotFound if there is no such field.
absl::Status SetField(absl::string_view path, const SourceValue& value,
                      google::protobuf::Message& message);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_RULE_FIELDS_H_
