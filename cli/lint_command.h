#ifndef LOGITCHAIN_CLI_LINT_COMMAND_H_
#define LOGITCHAIN_CLI_LINT_COMMAND_H_

#include <memory>

#include "logitchain/cli/command.h"

namespace logitchain {

// `logitchain lint`: finds what is wrong with chains, and puts their rules in order.
std::unique_ptr<Command> MakeLintCommand();

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_LINT_COMMAND_H_
