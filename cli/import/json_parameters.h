#ifndef LOGITCHAIN_CLI_IMPORT_JSON_PARAMETERS_H_
#define LOGITCHAIN_CLI_IMPORT_JSON_PARAMETERS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/cli/import/source_value.h"

namespace logitchain {

// The members of the JSON object that `text` is, in its order. Their names are JSON pointers.
// InvalidArgument "filename:line:column: …" if it is no object, a key occurs twice in one, or it is
// nested deeper than any request.
absl::StatusOr<std::vector<SourceParameter>> ParseJsonParameters(absl::string_view text,
                                                                 absl::string_view filename);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_JSON_PARAMETERS_H_
