#ifndef LOGITCHAIN_CLI_SAMPLE_COMMAND_H_
#define LOGITCHAIN_CLI_SAMPLE_COMMAND_H_

#include <memory>

#include "logitchain/cli/command.h"

namespace logitchain {

// `logitchain sample`: samples tokens from logits in a file.
std::unique_ptr<Command> MakeSampleCommand();

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_SAMPLE_COMMAND_H_
