#ifndef LOGITCHAIN_CLI_IMPORT_LLAMA_CPP_TABLE_H_
#define LOGITCHAIN_CLI_IMPORT_LLAMA_CPP_TABLE_H_

#include "logitchain/cli/import/import_table.h"

namespace logitchain {

// Command lines of llama.cpp's programs and requests to its server.
const ImportTable& LlamaCppTable();

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_LLAMA_CPP_TABLE_H_
