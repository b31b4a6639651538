#ifndef LOGITCHAIN_CLI_LIST_COMMAND_H_
#define LOGITCHAIN_CLI_LIST_COMMAND_H_

#include <memory>

#include "logitchain/cli/command.h"

namespace logitchain {

// `logitchain list`: prints the rules with their parameters.
std::unique_ptr<Command> MakeListCommand();

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_LIST_COMMAND_H_
