#ifndef LOGITCHAIN_REGISTRY_CREATE_CHAIN_H_
#define LOGITCHAIN_REGISTRY_CREATE_CHAIN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "logitchain/core/chain.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/registry/environment.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

// Builds the chain that `config` describes, with an empty prompt. InvalidArgument with every
// problem of the config, a line each; with a ChainText each line says where it stands.
absl::StatusOr<std::unique_ptr<Chain>> CreateChain(
    const ChainConfig& config, const Environment& environment,
    const ProcessorRegistry& registry = ProcessorRegistry::Global());
absl::StatusOr<std::unique_ptr<Chain>> CreateChain(
    const ChainText& text, const Environment& environment,
    const ProcessorRegistry& registry = ProcessorRegistry::Global());

// Everything that is wrong with `config` as far as it can be told without an environment; token ids
// are checked if the size of the vocabulary is given.
std::vector<ConfigProblem> CheckChain(
    const ChainConfig& config, std::optional<int32_t> vocab_size = std::nullopt,
    const ProcessorRegistry& registry = ProcessorRegistry::Global());

// The indices of config.processors in the dialect's order; those of one stage stay as they are.
// Entries that name no registered rule go last.
std::vector<int> DialectOrder(const ChainConfig& config,
                              const ProcessorRegistry& registry = ProcessorRegistry::Global());

// Whether draw.seed must be below 2^32: where mt19937 draws, or is what the dialect's rules with
// randomness draw from.
bool NeedsSmallSeed(const ChainConfig& config);

}  // namespace logitchain

#endif  // LOGITCHAIN_REGISTRY_CREATE_CHAIN_H_
