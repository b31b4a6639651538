#ifndef LOGITCHAIN_CLI_IMPORT_STRUCTURED_OUTPUT_H_
#define LOGITCHAIN_CLI_IMPORT_STRUCTURED_OUTPUT_H_

#include <vector>

#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/source_value.h"

namespace logitchain {

// The parameters of which a parameter for structured output consists, with keys of their own:
//   {"response_format": {"type": "json_schema", "json_schema": {"schema": S}}}
//       "response_format.schema": S; also for llama.cpp's "schema" beside the type
//   {"response_format": {"type": "json_object"}}      "response_format.json_object": true
//   {"structured_outputs": {"regex": R, "choice": C}}
//       "structured_outputs.regex": R, "structured_outputs.choice": C
// Others, and those of which the table does not know the parts, stay as they are.
std::vector<SourceParameter> PartsOfStructuredOutput(SourceParameter parameter,
                                                     const ImportTable& table);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_STRUCTURED_OUTPUT_H_
