#ifndef LOGITCHAIN_TESTS_REFERENCE_RANDOM_CONFIG_H_
#define LOGITCHAIN_TESTS_REFERENCE_RANDOM_CONFIG_H_

#include <cstdint>

#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/reference/dice.h"

namespace logitchain {

// A chain that ReferenceChain knows, of any dialect: in the dialect's order with each rule in or
// not, or with any rules as listed, also several of a kind.
ChainConfig RandomConfig(Dice& dice, int32_t vocab_size);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_REFERENCE_RANDOM_CONFIG_H_
