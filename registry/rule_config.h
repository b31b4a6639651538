#ifndef LOGITCHAIN_REGISTRY_RULE_CONFIG_H_
#define LOGITCHAIN_REGISTRY_RULE_CONFIG_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "google/protobuf/message.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

// One entry of ChainConfig.processors, or the terminal, with the rule that it means; from here on
// it makes no difference whether a rule is built in or a plugin.
struct RuleConfig {
  std::string path;   // "processors[3].top_k" or "processors[5].plugin".
  std::string label;  // "top_k", or the plugin's message name.
  const google::protobuf::Message* message;
  const ProcessorEntry* entry;
  std::unique_ptr<google::protobuf::Message> unpacked;  // Owns `message` where it is a plugin's.
};

// Resolves processors[index]; if that fails, appends why and returns nothing.
std::optional<RuleConfig> ResolveRule(const ChainConfig& config, int index,
                                      const ProcessorRegistry& registry,
                                      std::vector<ConfigProblem>& problems);

// Resolves the terminal of draw; the same.
std::optional<RuleConfig> ResolveTerminal(const DrawConfig& draw, const ProcessorRegistry& registry,
                                          std::vector<ConfigProblem>& problems);

// "; registered are acme.BanDigits, …", for errors about a name that is not.
std::string RegisteredNames(const ProcessorRegistry& registry);

}  // namespace logitchain

#endif  // LOGITCHAIN_REGISTRY_RULE_CONFIG_H_
