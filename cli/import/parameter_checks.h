#ifndef LOGITCHAIN_CLI_IMPORT_PARAMETER_CHECKS_H_
#define LOGITCHAIN_CLI_IMPORT_PARAMETER_CHECKS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/source_value.h"

namespace logitchain {

// What the parameter's value must be ("a whole number"), if it is not that; else "".
absl::string_view TypeMismatch(const ParameterRow& row, const SourceParameter& parameter);

// Whether the parameter does nothing with this value, which must be of its type.
bool DoesNothing(const ParameterRow& row, const SourceValue& value);

// Whether this value, which must be of the parameter's type, is in the row's range.
bool IsInRange(const ParameterRow& row, const SourceValue& value);

// Whether this value, which must be of the parameter's type, has a meaning that no chain can have.
bool IsRefused(const ParameterRow& row, const SourceValue& value);

// The values with which the parameter does nothing, or that end the system's sampler: "1 or less",
// "0, 1 or 2"; "" if there is none to name.
std::string SupportedValues(const ParameterRow& row, const ImportTable& table);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_PARAMETER_CHECKS_H_
