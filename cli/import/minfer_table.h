#ifndef LOGITCHAIN_CLI_IMPORT_MINFER_TABLE_H_
#define LOGITCHAIN_CLI_IMPORT_MINFER_TABLE_H_

#include "logitchain/cli/import/import_table.h"

namespace logitchain {

// Command lines of minfer.
const ImportTable& MinferTable();

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_MINFER_TABLE_H_
