#ifndef LOGITCHAIN_CLI_IMPORT_OPENAI_TABLE_H_
#define LOGITCHAIN_CLI_IMPORT_OPENAI_TABLE_H_

#include "logitchain/cli/import/import_table.h"

namespace logitchain {

// Requests of OpenAI's completions and chat completions.
const ImportTable& OpenAiTable();

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_OPENAI_TABLE_H_
