#ifndef LOGITCHAIN_TESTS_TESTING_CHAIN_AFTER_H_
#define LOGITCHAIN_TESTS_TESTING_CHAIN_AFTER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// The tokens that a chain has behind it.
struct Past {
  std::vector<TokenId> prompt;
  std::vector<TokenId> output;
};

// A chain of MakeChain() that has this past. Ids that it refuses fail the test.
std::unique_ptr<Chain> ChainAfter(absl::string_view textproto, int32_t vocab_size,
                                  const Past& past);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_CHAIN_AFTER_H_
