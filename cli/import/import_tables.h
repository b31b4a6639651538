#ifndef LOGITCHAIN_CLI_IMPORT_IMPORT_TABLES_H_
#define LOGITCHAIN_CLI_IMPORT_IMPORT_TABLES_H_

#include "absl/types/span.h"
#include "logitchain/cli/import/import_table.h"

namespace logitchain {

// The systems that can be imported from.
absl::Span<const ImportTable* const> ImportTables();

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_IMPORT_TABLES_H_
