#ifndef LOGITCHAIN_CLI_IMPORT_RULE_FIELDS_H_
#define LOGITCHAIN_CLI_IMPORT_RULE_FIELDS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"
#include "logitchain/cli/import/source_value.h"

namespace logitchain {

// Sets the field of `message` that `path` leads to ("top_k.k"), making the messages on the way:
// to a number; to a list of them if it is repeated; or if it is repeated messages, to a list of
// lists, each with the numbers for the first fields of one message. An object stands for a list of
// its keys and values, and false for −∞.
// InvalidArgument, with what the value must be ("a whole number from 0 to 5"), if the field cannot
// hold it; NotFound if there is no such field.
absl::Status SetField(absl::string_view path, const SourceValue& value,
                      google::protobuf::Message& message);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_RULE_FIELDS_H_
