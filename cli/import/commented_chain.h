#ifndef LOGITCHAIN_CLI_IMPORT_COMMENTED_CHAIN_H_
#define LOGITCHAIN_CLI_IMPORT_COMMENTED_CHAIN_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {

// What stands above the parts of a chain; each is a paragraph without line ends.
struct ChainComments {
  std::vector<std::string> head;
  std::string dialect;
  std::string order;
  std::vector<std::string> rules;  // One for each of config.processors.
  std::string draw;
};

// The chain as textproto. A rule stands in one line where 100 columns are enough; lists of ids may
// be longer.
std::string CommentedChain(const ChainConfig& config, const ChainComments& comments);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_COMMENTED_CHAIN_H_
