#ifndef LOGITCHAIN_REGISTRY_FIELD_CHECKS_H_
#define LOGITCHAIN_REGISTRY_FIELD_CHECKS_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"
#include "logitchain/core/dialect.h"
#include "logitchain/registry/config_problem.h"

namespace logitchain {

// Checks what is set in `message`, and in messages within it, and appends a problem for each
// - number outside the range of its field (proto/options.proto, or the dialect's);
// - field that has no meaning in the dialect, unless it has its default;
// - message with something that this program does not know, as its bytes may have.
void CheckFields(const google::protobuf::Message& message, const Dialect& dialect,
                 absl::string_view path, std::vector<ConfigProblem>& problems);

}  // namespace logitchain

#endif  // LOGITCHAIN_REGISTRY_FIELD_CHECKS_H_
