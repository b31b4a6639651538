#ifndef LOGITCHAIN_CLI_IMPORT_HUGGINGFACE_TABLE_H_
#define LOGITCHAIN_CLI_IMPORT_HUGGINGFACE_TABLE_H_

#include "logitchain/cli/import/import_table.h"

namespace logitchain {

// generation_config.json of Hugging Face's transformers.
const ImportTable& HuggingFaceTable();

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_HUGGINGFACE_TABLE_H_
