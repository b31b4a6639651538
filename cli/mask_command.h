#ifndef LOGITCHAIN_CLI_MASK_COMMAND_H_
#define LOGITCHAIN_CLI_MASK_COMMAND_H_

#include <memory>

#include "logitchain/cli/command.h"

namespace logitchain {

// `logitchain mask`: prints which tokens a grammar allows behind a text, and why not others.
std::unique_ptr<Command> MakeMaskCommand();

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_MASK_COMMAND_H_
