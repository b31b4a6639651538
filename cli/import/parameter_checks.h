#ifndef LOGITCHAIN_CLI_IMPORT_PARAMETER_CHECKS_H_
#define LOGITCHAIN_CLI_IMPORT_PARAMETER_CHECKS_H_

#include "absl/strings/string_view.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/source_value.h"

namespace logitchain {

// What the value must be ("a whole number"), if it is not that; else "".
absl::string_view TypeMismatch(const ParameterRow& row, const SourceValue& value);

// Whether the parameter does nothing with this value, which must be of its type.
bool DoesNothing(const ParameterRow& row, const SourceValue& value);

// Whether this value, which must be of the parameter's type, has a meaning that no chain can have.
bool IsRefused(const ParameterRow& row, const SourceValue& value);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_PARAMETER_CHECKS_H_
