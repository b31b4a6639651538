#ifndef LOGITCHAIN_CLI_CHAIN_FLAGS_H_
#define LOGITCHAIN_CLI_CHAIN_FLAGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "logitchain/cli/flags.h"
#include "logitchain/registry/chain_text.h"

namespace logitchain {

// The flags of commands that run a chain: which, and what is other than in its file for this run.
class ChainFlags {
 public:
  std::vector<Flag> flags();

  // Of the chain's file.
  const std::string& path() const { return path_; }

  // Loads the plugins, reads the chain and changes it as the flags say. A chain that asks for no
  // log-probabilities, where the flags do not either, gets the penalised ones if `wants_logprob`.
  absl::StatusOr<ChainText> Read(bool wants_logprob) const;

 private:
  std::string path_;
  std::optional<uint64_t> seed_;
  bool greedy_ = false;
  std::optional<std::string> logprobs_;
  std::vector<std::string> plugins_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_CHAIN_FLAGS_H_
