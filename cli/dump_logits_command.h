#ifndef LOGITCHAIN_CLI_DUMP_LOGITS_COMMAND_H_
#define LOGITCHAIN_CLI_DUMP_LOGITS_COMMAND_H_

#include <memory>

#include "logitchain/cli/command.h"

namespace logitchain {

// `logitchain dump-logits`: writes a language model's logits along a text to a file.
std::unique_ptr<Command> MakeDumpLogitsCommand();

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_DUMP_LOGITS_COMMAND_H_
