#ifndef LOGITCHAIN_CLI_IMPORT_VLLM_TABLE_H_
#define LOGITCHAIN_CLI_IMPORT_VLLM_TABLE_H_

#include "logitchain/cli/import/import_table.h"

namespace logitchain {

// vLLM's SamplingParams, and the requests that its server makes them from.
const ImportTable& VllmTable();

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_VLLM_TABLE_H_
