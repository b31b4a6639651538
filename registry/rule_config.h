#ifndef LOGITCHAIN_REGISTRY_RULE_CONFIG_H_
#define LOGITCHAIN_REGISTRY_RULE_CONFIG_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

// One entry of ChainConfig.processors, or the terminal, with the rule that it means; from here on
// it makes no difference whether a rule is built in or a plugin.
struct RuleConfig {
  std::string path;   // "processors[3].top_k" or "processors[5].plugin[acme.BanDigits]".
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

// What is wrong with the name of a plugin, and what to do: "is not a registered rule; link …".
std::string NotRegistered(const std::string& name, const ProcessorRegistry& registry);

// The field of ProcessorConfig or DrawConfig that holds a rule's config; null for a plugin's.
const google::protobuf::FieldDescriptor* BuiltInField(const google::protobuf::Descriptor& config);

}  // namespace logitchain

#endif  // LOGITCHAIN_REGISTRY_RULE_CONFIG_H_
