#include "logitchain/cli/import/import_tables.h"

#include "absl/types/span.h"
#include "logitchain/cli/import/huggingface_table.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/llama_cpp_table.h"
#include "logitchain/cli/import/minfer_table.h"
#include "logitchain/cli/import/openai_table.h"
#include "logitchain/cli/import/vllm_table.h"

namespace logitchain {

absl::Span<const ImportTable* const> ImportTables() {
  static const ImportTable* const kTables[] = {&OpenAiTable(), &HuggingFaceTable(),
                                               &LlamaCppTable(), &VllmTable(), &MinferTable()};
  return kTables;
}

}  // namespace logitchain
