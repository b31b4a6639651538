#ifndef LOGITCHAIN_TESTS_CORE_DECODE_CHAIN_FROM_TEXT_H_
#define LOGITCHAIN_TESTS_CORE_DECODE_CHAIN_FROM_TEXT_H_

#include <memory>

#include "absl/strings/string_view.h"
#include "logitchain/core/chain.h"
#include "logitchain/registry/environment.h"

namespace logitchain {

// The chain of a ChainConfig in textproto, with all of logitchain's rules at hand. Throws, and so
// fails the test, if there is a problem with it.
std::unique_ptr<Chain> ChainFromText(absl::string_view text, const Environment& environment);
std::unique_ptr<Chain> ChainFromText(absl::string_view text, int vocab_size);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_CORE_DECODE_CHAIN_FROM_TEXT_H_
