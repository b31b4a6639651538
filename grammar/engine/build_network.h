#ifndef LOGITCHAIN_GRAMMAR_ENGINE_BUILD_NETWORK_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_BUILD_NETWORK_H_

#include "absl/status/statusor.h"
#include "logitchain/grammar/engine/network.h"
#include "logitchain/grammar/grammar.h"

namespace logitchain {

// The network of a grammar. InvalidArgument if the grammar derives no text at all,
// ResourceExhausted if the network would be too large.
absl::StatusOr<Network> BuildNetwork(const Grammar& grammar);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_BUILD_NETWORK_H_
