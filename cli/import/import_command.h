#ifndef LOGITCHAIN_CLI_IMPORT_IMPORT_COMMAND_H_
#define LOGITCHAIN_CLI_IMPORT_IMPORT_COMMAND_H_

#include <memory>

#include "logitchain/cli/command.h"

namespace logitchain {

// `logitchain import`: makes a chain of the sampling parameters of another system.
std::unique_ptr<Command> MakeImportCommand();

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_IMPORT_COMMAND_H_
