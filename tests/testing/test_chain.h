#ifndef LOGITCHAIN_TESTS_TESTING_TEST_CHAIN_H_
#define LOGITCHAIN_TESTS_TESTING_TEST_CHAIN_H_

#include <cstdint>
#include <memory>

#include "absl/strings/string_view.h"
#include "logitchain/core/chain.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/environment.h"

namespace logitchain {

// Builds a chain for a test. A config that is refused fails the test with the reason, and gives
// null.
std::unique_ptr<Chain> MakeChain(const ChainConfig& config, int32_t vocab_size);
std::unique_ptr<Chain> MakeChain(absl::string_view textproto, int32_t vocab_size);
std::unique_ptr<Chain> MakeChain(absl::string_view textproto, const Environment& environment);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_TEST_CHAIN_H_
