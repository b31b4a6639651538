#ifndef LOGITCHAIN_CLI_IMPORT_SAMPLER_ORDER_H_
#define LOGITCHAIN_CLI_IMPORT_SAMPLER_ORDER_H_

#include <string>
#include <vector>

#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/source_value.h"

namespace logitchain {

// An order of rules that a file gives.
struct SamplerOrder {
  std::vector<std::string> groups;   // Of ParameterRows, as listed; one may occur more than once.
  std::vector<std::string> refused;  // What the table has no rule for.
};

// Reads a list of names or a string of letters.
SamplerOrder ReadSamplerOrder(const SourceValue& value, const ImportTable& table);

// "penalties, dry, …": the names that lists may have.
std::string SamplerNames(const ImportTable& table);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_SAMPLER_ORDER_H_
