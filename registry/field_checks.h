#ifndef LOGITCHAIN_REGISTRY_FIELD_CHECKS_H_
#define LOGITCHAIN_REGISTRY_FIELD_CHECKS_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"
#include "logitchain/core/dialect.h"
#include "logitchain/registry/config_problem.h"

namespace logitchain {

// Checks the numbers that are set in `message`, and in messages within it, against the ranges of
// their fields (proto/options.proto, or the dialect's). Appends a problem for each that is outside.
void CheckFields(const google::protobuf::Message& message, const Dialect& dialect,
                 absl::string_view path, std::vector<ConfigProblem>& problems);

}  // namespace logitchain

#endif  // LOGITCHAIN_REGISTRY_FIELD_CHECKS_H_
