#ifndef LOGITCHAIN_CLI_DIALECT_NAME_H_
#define LOGITCHAIN_CLI_DIALECT_NAME_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {

// The names of all dialects, as chains write them.
std::vector<std::string> DialectNames();

// The dialect with this name, in capital or small letters; else a usage error that lists them.
absl::StatusOr<ChainConfig::Dialect> ParseDialectName(absl::string_view name);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_DIALECT_NAME_H_
