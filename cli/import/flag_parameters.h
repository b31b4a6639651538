#ifndef LOGITCHAIN_CLI_IMPORT_FLAG_PARAMETERS_H_
#define LOGITCHAIN_CLI_IMPORT_FLAG_PARAMETERS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/source_value.h"

namespace logitchain {

// The parameters that a command line sets, in its order. Flags that are known to be no part of a
// chain and have no key are left out. Of a flag that is not known, the word behind it is taken for
// its value unless that looks like a flag.
// InvalidArgument "filename:line:column: …" if the text is no command line, or a flag lacks its
// value.
absl::StatusOr<std::vector<SourceParameter>> ParseFlagParameters(absl::string_view text,
                                                                 absl::string_view filename,
                                                                 const ImportTable& table);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_FLAG_PARAMETERS_H_
