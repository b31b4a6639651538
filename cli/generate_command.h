#ifndef LOGITCHAIN_CLI_GENERATE_COMMAND_H_
#define LOGITCHAIN_CLI_GENERATE_COMMAND_H_

#include <memory>

#include "logitchain/cli/command.h"

namespace logitchain {

// `logitchain generate`: completes a prompt with a language model.
std::unique_ptr<Command> MakeGenerateCommand();

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_GENERATE_COMMAND_H_
